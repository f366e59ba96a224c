#include "cli/served_model.h"

#include "core/file.h"
#include "model/picture_source.h"

namespace nowhere {
namespace {

class ServedModel : public Model {
 public:
  ServedModel(const RunReader& run, const CheckpointFile& file, int threads)
      : source_(run.location(file), std::nullopt, threads) {
    const GeneratorFacts& facts = source_.facts();
    facts_.name = run.name();
    facts_.file = printable(facts.file);
    facts_.file_name = printable(facts.file.filename());
    facts_.channels = facts.config.nc;
    facts_.picture_size = facts.config.img_size;
    facts_.latent_size = facts.config.nz;
    facts_.parameters = facts.parameters;
    facts_.epoch = facts.epoch;
    facts_.images_seen = facts.images;
    facts_.digest = facts.digest;
    facts_.trained_on = run.trained_on();
  }

  const ModelFacts& facts() const override { return facts_; }
  std::vector<Image> make(const std::vector<Latent>& latents) override { return source_.make(latents); }

 private:
  PictureSource source_;
  ModelFacts facts_;
};

}  // namespace

std::shared_ptr<Model> load_served_model(const RunReader& run, const CheckpointFile& file, int threads) {
  return std::make_shared<ServedModel>(run, file, threads);
}

}  // namespace nowhere
