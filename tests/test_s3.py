"""Files in a bucket: the store by itself, against moto's server, whole and through a proxy that breaks connections."""
import hashlib
import http.server
import json
import os
import subprocess
import threading

import pytest
from conftest import TOP
from s3_server import BUCKET, CUT, DAMAGE, ROLE, STALL, error, proxy, server, times  # noqa: F401

DRIVER = TOP / "build" / "release" / "tests" / "s3_driver"
MB = 1 << 20
ODD = "a b+c=d&e%2F'(1)!*~ä;,.pt"


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A file that goes in five parts."""
    file = tmp_path_factory.mktemp("large") / "large.pt"
    file.write_bytes(os.urandom(70 * MB))
    return file


@pytest.fixture(scope="module")
def stored(server, large):
    drive(server.environment(), "write", f"s3://{BUCKET}/large", "large.pt", large)
    return f"s3://{BUCKET}/large"


def drive(environment, *arguments, code=0):
    """What the store prints, which must end with `code`."""
    done = subprocess.run([os.environ.get("NOWHERE_S3_DRIVER", DRIVER), *map(str, arguments)], capture_output=True, text=True,
                          timeout=120, env=environment)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    if code:
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        assert done.stderr.startswith("nowhere: ")
    return done.stderr if code else done.stdout


def is_part(number):
    return lambda method, path: method == "PUT" and f"partNumber={number}&" in path


@pytest.mark.parametrize("folder", ["run", "runs/it's ä+=?#/x y", ""])
def test_a_file_comes_back_as_it_was(server, tmp_path, folder):
    url = f"s3://{BUCKET}/{folder}"
    prefix = folder + "/" if folder else ""
    (tmp_path / "in").write_bytes(b"hello")
    for name in (ODD, "empty"):
        if name == "empty":
            (tmp_path / "in").write_bytes(b"")
        drive(server.environment(), "write", url, name, tmp_path / "in")
        assert server.get(prefix + name) == (tmp_path / "in").read_bytes()
        drive(server.environment(), "read", url, name, tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == (tmp_path / "in").read_bytes()
    listed = dict(line.rsplit(" ", 1) for line in drive(server.environment(), "list", url).splitlines())
    assert set(listed) == {ODD, "empty"}
    assert drive(server.environment(), "stamp", url, ODD).strip() == listed[ODD]
    for name in (ODD, "empty", "empty"):  # what is gone may be removed again
        drive(server.environment(), "remove", url, name)
    assert drive(server.environment(), "list", url) == ""
    assert drive(server.environment(), "stamp", url, ODD).strip() == "nothing"


def test_a_list_has_any_number_of_files_and_no_folders(server, monkeypatch):
    for number in range(11):
        server.put(f"many/{number}", b"")
    server.put("many/below/x", b"")
    server.put("many-more/x", b"")
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", "4")  # of a page
    lines = drive(server.environment(), "list", f"s3://{BUCKET}/many").splitlines()
    assert {line.split()[0] for line in lines} == {str(number) for number in range(11)}


def test_a_stamp_changes_with_the_file(server):
    stamps = set()
    for content in (b"1", b"2", b"2"):
        server.put("stamped/x", content)
        stamps.add(drive(server.environment(), "stamp", f"s3://{BUCKET}/stamped", "x"))
    assert len(stamps) == 2


def test_a_large_file_goes_and_comes_in_parts(server, stored, large, tmp_path):
    content = large.read_bytes()
    parts = [hashlib.md5(content[begin:begin + 16 * MB]).digest() for begin in range(0, len(content), 16 * MB)]
    head = server.s3.head_object(Bucket=BUCKET, Key="large/large.pt")
    assert head["ETag"] == f'"{hashlib.md5(b"".join(parts)).hexdigest()}-5"'
    assert server.get("large/large.pt") == content
    drive(server.environment(), "read", stored, "large.pt", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == content
    assert server.unfinished_uploads() == []


def test_a_part_that_is_cut_is_sent_again(server, proxy, large):
    proxy.rule = times(1, CUT, is_part(3))
    drive(server.environment(AWS_ENDPOINT_URL=proxy.url), "write", f"s3://{BUCKET}/cut", "once.pt", large)
    assert server.get("cut/once.pt") == large.read_bytes()
    assert len([path for method, path in proxy.requests if is_part(3)(method, path)]) == 2


def test_an_upload_that_was_cut_goes_on_with_what_is_there(server, proxy, large):
    environment = server.environment(AWS_ENDPOINT_URL=proxy.url, AWS_MAX_ATTEMPTS=1)
    proxy.rule = times(100, CUT, is_part(5))
    said = drive(environment, "write", f"s3://{BUCKET}/cut", "twice.pt", large, code=1)
    assert "breaks the connection" in said
    assert len(server.unfinished_uploads()) == 1
    there = server.s3.list_parts(Bucket=BUCKET, Key="cut/twice.pt", UploadId=server.unfinished_uploads()[0]["UploadId"])
    proxy.rule = lambda method, path: None
    proxy.requests.clear()
    drive(environment, "write", f"s3://{BUCKET}/cut", "twice.pt", large)
    sent = [path for method, path in proxy.requests if method == "PUT"]
    assert len(sent) == 5 - len(there["Parts"]) < 5
    assert server.get("cut/twice.pt") == large.read_bytes()
    assert server.unfinished_uploads() == []


def test_an_unfinished_upload_of_another_content_is_removed(server, large):
    begun = server.s3.create_multipart_upload(Bucket=BUCKET, Key="other/x.pt")
    server.s3.upload_part(Bucket=BUCKET, Key="other/x.pt", UploadId=begun["UploadId"], PartNumber=1, Body=b"x" * 5 * MB)
    drive(server.environment(), "write", f"s3://{BUCKET}/other", "x.pt", large)
    assert server.get("other/x.pt") == large.read_bytes()
    assert server.unfinished_uploads() == []


def test_completing_that_fails_with_status_200_is_tried_again(server, proxy, large):
    proxy.rule = times(1, error(200, "InternalError"), lambda method, path: method == "POST" and "uploadId=" in path)
    drive(server.environment(AWS_ENDPOINT_URL=proxy.url), "write", f"s3://{BUCKET}/completed", "x.pt", large)
    assert server.get("completed/x.pt") == large.read_bytes()


@pytest.mark.parametrize("told", [error(503, "SlowDown"), error(500, "InternalError"), error(400, "RequestTimeout"), CUT])
def test_what_passes_is_tried_again(server, proxy, told):
    proxy.rule = times(1, told, lambda method, path: True)
    drive(server.environment(AWS_ENDPOINT_URL=proxy.url), "list", f"s3://{BUCKET}/x")
    assert len(proxy.requests) == 2


def test_a_server_that_stalls_is_given_up_after_a_while(server, proxy):
    environment = server.environment(AWS_ENDPOINT_URL=proxy.url, NOWHERE_S3_PATIENCE=1, AWS_MAX_ATTEMPTS=2)
    proxy.rule = times(1, STALL, lambda method, path: True)
    drive(environment, "list", f"s3://{BUCKET}/x")
    proxy.rule = lambda method, path: STALL
    assert "does not answer in time" in drive(environment, "list", f"s3://{BUCKET}/x", code=1)


@pytest.mark.parametrize("file, size", [("small.pt", 5), ("large.pt", 70 * MB)])
def test_a_download_that_is_damaged_is_noticed(server, proxy, stored, tmp_path, file, size):
    if size < MB:
        server.put("large/small.pt", b"hello")
    environment = server.environment(AWS_ENDPOINT_URL=proxy.url)
    proxy.rule = lambda method, path: DAMAGE if method == "GET" else None
    assert "does not fit its checksum" in drive(environment, "read", stored, file, tmp_path / "out", code=1)
    assert not (tmp_path / "out").exists()
    proxy.rule = times(1, DAMAGE, lambda method, path: method == "GET")
    drive(environment, "read", stored, file, tmp_path / "out")
    assert (tmp_path / "out").stat().st_size == size


def test_a_file_that_is_replaced_while_it_is_read_is_read_anew(server, proxy, large, tmp_path):
    server.s3.upload_file(str(large), BUCKET, "replaced/x.pt")
    later = os.urandom(33 * MB)

    def rule(method, path):
        if method == "GET" and len(proxy.requests) == 2:
            server.put("replaced/x.pt", later)

    proxy.rule = rule
    drive(server.environment(AWS_ENDPOINT_URL=proxy.url), "read", f"s3://{BUCKET}/replaced", "x.pt", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == later


def test_what_is_wrong_is_said_in_one_line(server, proxy):
    here, broken = f"s3://{BUCKET}/x", server.environment(AWS_ENDPOINT_URL=proxy.url)

    def said(environment, url=here, code=1):
        return drive(environment, "list", url, code=code)

    assert "no such bucket" in said(server.environment(), "s3://no-such-bucket/x", code=3)
    assert "give s3://BUCKET/RUN" in said(server.environment(), "s3://x", code=2)
    assert "AWS_SECRET_ACCESS_KEY" in said(server.environment(AWS_SECRET_ACCESS_KEY="wrong"))
    assert "AWS_ACCESS_KEY_ID" in said(server.environment(AWS_ACCESS_KEY_ID="AKIAWRONG"))
    assert "access is denied" in said(server.environment(server.stranger))
    assert "there are no credentials" in said(server.environment({}))
    assert "AWS_ENDPOINT_URL" in said(server.environment(AWS_ENDPOINT_URL="http://127.0.0.1:1", AWS_MAX_ATTEMPTS=1))
    assert "no address of a server" in said(server.environment(AWS_ENDPOINT_URL="nonsense"), code=2)
    for told, words in ((error(400, "ExpiredToken"), "have expired"), (error(403, "RequestTimeTooSkewed"), "clock"),
                        ((200, b"<html></html>"), "does not answer as S3 does"), ((404, b""), "no such file")):
        proxy.rule = lambda method, path, told=told: told
        assert words in said(broken, code=3 if told[0] == 404 else 1)
    assert "no such file" in drive(server.environment(), "read", here, "missing.pt", "/dev/null", code=3)
    assert "no such bucket" in drive(server.environment(), "check", "s3://no-such-bucket/x", "x", code=3)
    assert "access is denied" in drive(server.environment(server.stranger), "check", here, "x", code=1)


class Agent(http.server.BaseHTTPRequestHandler):
    """The services on a machine of AWS that hand out credentials."""
    keys = {}

    def do_PUT(self):
        self.answer("session" if self.headers["X-aws-ec2-metadata-token-ttl-seconds"] else None)

    def do_GET(self):
        roles = "/latest/meta-data/iam/security-credentials/"
        if self.path == "/container":
            self.answer(self.credentials() if self.headers["Authorization"] == "container token" else None)
        elif self.headers["X-aws-ec2-metadata-token"] != "session":
            self.answer(None)
        else:
            self.answer({roles: "streets", roles + "streets": self.credentials()}.get(self.path))

    def credentials(self):
        keys = self.keys
        return json.dumps({"AccessKeyId": keys["AccessKeyId"], "SecretAccessKey": keys["SecretAccessKey"],
                           "Token": keys["SessionToken"], "Expiration": "2099-01-01T00:00:00Z"})

    def answer(self, text):
        self.send_response(200 if text else 401)
        self.send_header("Content-Length", str(len(text or "")))
        self.end_headers()
        self.wfile.write((text or "").encode())

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def agent(server):
    Agent.keys = server.temporary
    http_server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Agent)
    threading.Thread(target=http_server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{http_server.server_port}"
    http_server.shutdown()
    http_server.server_close()


def test_credentials_come_from_every_place(server, agent, tmp_path):
    files = tmp_path / "credentials", tmp_path / "config", tmp_path / "token"
    files[0].write_text("[default]\naws_access_key_id = wrong\naws_secret_access_key = wrong\n\n[work]\n"
                        f"aws_access_key_id = {server.owner['AccessKeyId']}\n"
                        f"aws_secret_access_key = {server.owner['SecretAccessKey']}\n")
    files[1].write_text(f"[profile work]\nregion = us-east-1\nendpoint_url = {server.url}\n")
    files[2].write_text("a token of the cluster\n")
    places = [
        server.environment(server.temporary),
        server.environment({}, AWS_SHARED_CREDENTIALS_FILE=files[0], AWS_CONFIG_FILE=files[1], AWS_PROFILE="work",
                           AWS_ENDPOINT_URL=None),
        server.environment({}, AWS_CONTAINER_CREDENTIALS_FULL_URI=f"{agent}/container",
                           AWS_CONTAINER_AUTHORIZATION_TOKEN="container token"),
        server.environment({}, AWS_EC2_METADATA_DISABLED=None, AWS_EC2_METADATA_SERVICE_ENDPOINT=agent),
    ]
    for environment in places:
        drive(environment, "list", f"s3://{BUCKET}/x")
    with server.unchecked():  # moto wants a signature for this request, which AWS does not
        drive(server.environment({}, AWS_WEB_IDENTITY_TOKEN_FILE=files[2], AWS_ROLE_ARN=ROLE), "list", f"s3://{BUCKET}/x")


def test_what_a_source_of_credentials_refuses_is_said(server, agent, tmp_path):
    url = f"s3://{BUCKET}/x"
    refused = {
        "profile work": server.environment({}, AWS_PROFILE="work"),
        "container's agent": server.environment({}, AWS_CONTAINER_CREDENTIALS_FULL_URI=f"{agent}/container",
                                                AWS_CONTAINER_AUTHORIZATION_TOKEN="wrong token"),
        "AWS_WEB_IDENTITY_TOKEN_FILE": server.environment({}, AWS_WEB_IDENTITY_TOKEN_FILE=tmp_path / "none", AWS_ROLE_ARN=ROLE),
    }
    for words, environment in refused.items():
        said = drive(environment, "list", url, code=1)
        assert words in said and "wrong token" not in said


def test_no_secret_is_ever_printed(server, proxy):
    keys = server.temporary
    told = [error(403, "AccessDenied"), error(503, "SlowDown"), CUT, (200, b"<html>"),
            (400, "<Error><Code>Odd</Code><Message>{AccessKeyId} {SecretAccessKey} {SessionToken}</Message></Error>".format(
                **keys).encode())]
    for rule in told:
        proxy.rule = lambda method, path, rule=rule: rule
        said = drive(server.environment(keys, AWS_ENDPOINT_URL=proxy.url, AWS_MAX_ATTEMPTS=1), "list", f"s3://{BUCKET}/x", code=1)
        assert not any(keys[name] in said for name in ("AccessKeyId", "SecretAccessKey", "SessionToken")), said
