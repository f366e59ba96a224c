#include "cli/served_model.h"

#include "model/picture_source.h"

namespace nowhere {
namespace {

class ServedModel : public Model {
 public:
  ServedModel(const RunReader& run, const CheckpointFile& file, int threads) : source_(run, file, threads) {}

  const ModelFacts& facts() const override { return source_.facts(); }
  std::vector<Image> make(const std::vector<Latent>& latents) override { return source_.make(latents); }

 private:
  PictureSource source_;
};

}  // namespace

std::shared_ptr<Model> load_served_model(const RunReader& run, const CheckpointFile& file, int threads) {
  return std::make_shared<ServedModel>(run, file, threads);
}

}  // namespace nowhere
