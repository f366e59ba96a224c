// What is known about a generator that was loaded from a checkpoint: the one set of facts that commands,
// reports, exported files and the server show.
#pragma once

#include <cstdint>
#include <string>

namespace nowhere {

struct ModelFacts {
  std::string name;          // of the run, or of a lone checkpoint's file
  std::string file;          // the checkpoint with its folder, for messages to whoever runs the program
  std::string file_name;     // without folders: what clients may see
  std::string architecture;  // a row of the table in model/architectures
  int channels = 3;          // of a picture
  int picture_size = 0;      // pixels of a side
  int latent_size = 0;       // numbers in a latent vector
  int64_t parameters = 0;    // trainable ones, of the generator
  uint64_t epoch = 0;        // whole epochs trained
  int64_t images_seen = 0;   // in training; 0 when the file does not say
  std::string digest;        // of the weights: 32 hexadecimal digits
  std::string trained_on;    // the last part of the data's path; empty when unknown
  // The frozen network that it was trained through: its name, and its file's digest; empty without one.
  std::string features, features_digest;
};

}  // namespace nowhere
