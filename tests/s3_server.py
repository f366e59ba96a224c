"""S3 for the tests: moto's server with signature checks on, and a proxy in front of it that breaks what it is told to."""
import contextlib
import http.client
import http.server
import json
import os
import threading
import urllib.request

os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "0"  # moto reads it when it is imported: every request must be signed
import boto3  # noqa: E402
import pytest  # noqa: E402
from moto.server import ThreadedMotoServer  # noqa: E402

BUCKET = "my-bucket"
ROLE = "arn:aws:iam::123456789012:role/streets"


class S3Server:
    """A bucket, a user who may do everything with it, and one who may do nothing."""

    def __init__(self):
        self.moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.moto.start()
        self.url = "http://127.0.0.1:%d" % self.moto.get_host_and_port()[1]
        self._tell("reset", b"")  # what an earlier server of this process was told is still there
        with self.unchecked():
            anybody = {"AccessKeyId": "x", "SecretAccessKey": "y"}
            self.client("s3", anybody).create_bucket(Bucket=BUCKET)
            iam = self.client("iam", anybody)
            self.owner, self.stranger = (self._user(iam, name) for name in ("owner", "stranger"))
            allowed = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
            iam.put_user_policy(UserName="owner", PolicyName="all", PolicyDocument=json.dumps(allowed))
            iam.create_role(RoleName="streets", AssumeRolePolicyDocument="{}")
            iam.put_role_policy(RoleName="streets", PolicyName="all", PolicyDocument=json.dumps(allowed))
            given = self.client("sts", anybody).assume_role(RoleArn=ROLE, RoleSessionName="test")
            self.temporary = given["Credentials"]
        self.s3 = self.client("s3", self.owner)

    @staticmethod
    def _user(iam, name):
        iam.create_user(UserName=name)
        return iam.create_access_key(UserName=name)["AccessKey"]

    @contextlib.contextmanager
    def unchecked(self):
        """Meanwhile nobody looks at signatures and permissions."""
        self._check_after(1_000_000)
        yield
        self._check_after(0)

    def _check_after(self, requests):
        self._tell("reset-auth", str(requests).encode())

    def _tell(self, what, body):
        request = urllib.request.Request(f"{self.url}/moto-api/{what}", data=body, method="POST", headers={"Content-Type": "text/plain"})
        urllib.request.urlopen(request).close()

    def client(self, service, keys):
        return boto3.client(service, endpoint_url=self.url, region_name="us-east-1",
                            aws_access_key_id=keys["AccessKeyId"], aws_secret_access_key=keys["SecretAccessKey"])

    def environment(self, keys=None, **changes):
        """What a program needs to reach it, and nothing of what the machine has set. None takes a variable out."""
        keys = self.owner if keys is None else keys
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "MODEL_CFG"))}
        variables = {"AWS_ENDPOINT_URL": self.url, "AWS_EC2_METADATA_DISABLED": "true", "AWS_MAX_ATTEMPTS": "3",
                     "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_CONFIG_FILE": "/dev/null",
                     "AWS_ACCESS_KEY_ID": keys.get("AccessKeyId"), "AWS_SECRET_ACCESS_KEY": keys.get("SecretAccessKey"),
                     "AWS_SESSION_TOKEN": keys.get("SessionToken"), **changes}
        return clean | {name: str(value) for name, value in variables.items() if value is not None}

    def get(self, key):
        return self.s3.get_object(Bucket=BUCKET, Key=key)["Body"].read()

    def put(self, key, content):
        self.s3.put_object(Bucket=BUCKET, Key=key, Body=content)

    def put_run(self, folder, name):
        for file in folder.glob("*.*"):
            self.put(f"{name}/{file.name}", file.read_bytes())

    def keys(self, prefix=""):
        return [item["Key"] for item in self.s3.list_objects_v2(Bucket=BUCKET, Prefix=prefix).get("Contents", [])]

    def unfinished_uploads(self):
        return self.s3.list_multipart_uploads(Bucket=BUCKET).get("Uploads", [])

    def close(self):
        self.moto.stop()


def error(status, code):
    """A reply of S3 that refuses."""
    return status, f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>no</Message></Error>".encode()


CUT, STALL, DAMAGE = "cut", "stall", "damage"


class Proxy:
    """Passes requests on to a server. `rule(method, path)` may say what happens instead: CUT after half of the body,
    STALL until the test is over, DAMAGE a byte of the reply's body, or a reply as (status, body)."""

    def __init__(self, server):
        self.rule = lambda method, path: None
        self.requests = []  # (method, path)
        self.over = threading.Event()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                proxy.requests.append((self.command, self.path))
                told = proxy.rule(self.command, self.path)
                length = int(self.headers.get("Content-Length", 0))
                self.close_connection = told in (CUT, STALL)
                if told == CUT:
                    self.rfile.read(length // 2)
                    return
                if told == STALL:
                    proxy.over.wait(60)
                    return
                body = self.rfile.read(length)
                if isinstance(told, tuple):
                    self.answer(told[0], {}, told[1])
                else:
                    self.pass_on(body, told == DAMAGE)

            do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = handle_any

            def pass_on(self, body, damaged):
                host, port = server.url.removeprefix("http://").split(":")
                with contextlib.closing(http.client.HTTPConnection(host, int(port), timeout=60)) as connection:
                    connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                    for name, value in self.headers.items():
                        if name.lower() != "expect":
                            connection.putheader(name, value)
                    connection.endheaders(body or None)
                    reply = connection.getresponse()
                    content = reply.read()
                if damaged and content:
                    content = content[:-1] + bytes([content[-1] ^ 1])
                self.answer(reply.status, reply.headers, content)

            def answer(self, status, headers, body):
                self.send_response_only(status)
                for name, value in headers.items():
                    if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                        self.send_header(name, value)
                length = headers.get("Content-Length", 0) if self.command == "HEAD" else len(body)
                self.send_header("Content-Length", str(length))
                self.end_headers()
                self.wfile.write(b"" if self.command == "HEAD" else body)

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = "http://127.0.0.1:%d" % self.http.server_port
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.over.set()
        self.http.shutdown()
        self.http.server_close()


def times(count, told, wanted):
    """A rule for the first `count` requests that `wanted(method, path)` picks."""
    lock = threading.Lock()
    left = [count]

    def rule(method, path):
        with lock:
            if left[0] > 0 and wanted(method, path):
                left[0] -= 1
                return told
        return None

    return rule


@pytest.fixture(scope="module")
def server():
    with contextlib.closing(S3Server()) as running:
        yield running


@pytest.fixture
def proxy(server):
    with contextlib.closing(Proxy(server)) as running:
        yield running
