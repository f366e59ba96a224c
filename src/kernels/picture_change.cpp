#include "kernels/picture_change.h"

#include <algorithm>

namespace nowhere {
namespace {

// Along one axis: the places whose numbers stay in the picture when it moves.
struct Staying {
  int64_t begin, end;
};
Staying staying(int64_t side, int64_t shift) {
  return {std::clamp<int64_t>(-shift, 0, side), std::clamp<int64_t>(side - shift, 0, side)};
}

// The same on every processor: a row at a time, then the rows.
template <int64_t kCount>
double sum_of(const PictureView& picture, Staying rows, Staying columns) {
  double sum = 0;
  for (int64_t y = rows.begin; y < rows.end; ++y) {
    float parts[kCount] = {};
    for (int64_t x = columns.begin; x < columns.end; ++x)
      for (int64_t c = 0; c < kCount; ++c)
        parts[c] +=
            picture.first[y * picture.row_stride + x * picture.column_stride + c * picture.colour_stride];
    for (const float part : parts) sum += static_cast<double>(part);
  }
  return sum;
}

// What a number becomes: own times itself, grey times the mean of the place's colours, and a constant. The
// gradient has the same form.
struct ColourTerms {
  float own = 1, grey = 0, constant = 0;
};

ColourTerms colour_terms(const PictureChange& change) {
  return {change.contrast * change.saturation, change.contrast * (1 - change.saturation)};
}

template <bool kAdded>
void put(float number, float& to) {
  to = kAdded ? to + number : number;
}

template <int64_t kCount, bool kAdded>
void change_place(const float* from, int64_t stride, const ColourTerms& terms, float* to) {
  float sum = 0;
  for (int64_t c = 0; c < kCount; ++c) sum += from[c * stride];
  const float shared = terms.grey * (sum / kCount) + terms.constant;
  for (int64_t c = 0; c < kCount; ++c) put<kAdded>(terms.own * from[c * stride] + shared, to[c]);
}

template <int64_t kCount, bool kAdded>
void copy_place(const float* from, int64_t stride, float* to) {
  for (int64_t c = 0; c < kCount; ++c) put<kAdded>(from[c * stride], to[c]);
}

template <bool kAdded>
void put_all(float number, float* begin, const float* end) {
  for (; begin < end; ++begin) put<kAdded>(number, *begin);
}

// out at (y, x) from the picture at (y - down, x - right), where that is inside; `outside` elsewhere.
template <int64_t kCount, bool kAdded>
void move_picture(const PictureView& picture, int64_t side, int64_t down, int64_t right, bool colour,
                  const ColourTerms& terms, float outside, float* out) {
  const Staying columns = staying(side, right);
  for (int64_t y = 0; y < side; ++y, out += side * kCount) {
    const int64_t from_y = y - down;
    if (from_y < 0 || from_y >= side || columns.begin >= columns.end) {
      put_all<kAdded>(outside, out, out + side * kCount);
      continue;
    }
    put_all<kAdded>(outside, out, out + (columns.begin + right) * kCount);
    put_all<kAdded>(outside, out + (columns.end + right) * kCount, out + side * kCount);
    const float* from = picture.first + from_y * picture.row_stride + columns.begin * picture.column_stride;
    float* to = out + (columns.begin + right) * kCount;
    for (int64_t x = columns.begin; x < columns.end; ++x, from += picture.column_stride, to += kCount)
      if (colour)
        change_place<kCount, kAdded>(from, picture.colour_stride, terms, to);
      else
        copy_place<kCount, kAdded>(from, picture.colour_stride, to);
  }
}

template <int64_t kCount>
void apply_change(const PictureView& picture, int64_t side, const PictureChange& change, float* out) {
  ColourTerms terms = colour_terms(change);
  if (change.colour) {
    const double mean =
        sum_of<kCount>(picture, {0, side}, {0, side}) / static_cast<double>(side * side * kCount);
    terms.constant = static_cast<float>(mean) * (1 - change.contrast) + change.brightness;
  }
  (change.added ? move_picture<kCount, true> : move_picture<kCount, false>)(picture, side, change.down,
                                                                            change.right, change.colour,
                                                                            terms, 0, out);
}

template <int64_t kCount>
void return_change(const PictureView& gradient, int64_t side, const PictureChange& change, float* out) {
  ColourTerms terms = colour_terms(change);
  if (change.colour) {
    // Every number of the picture has its share in the mean.
    const double sum = sum_of<kCount>(gradient, staying(side, -change.down), staying(side, -change.right));
    terms.constant =
        static_cast<float>(sum / static_cast<double>(side * side * kCount)) * (1 - change.contrast);
  }
  move_picture<kCount, false>(gradient, side, -change.down, -change.right, change.colour, terms,
                              terms.constant, out);
}

}  // namespace

bool changes_pictures_of(int64_t colours) {
  return colours == 1 || colours == 3;
}

void change_picture(const PictureView& picture, int64_t side, int64_t colours, const PictureChange& change,
                    float* out) {
  (colours == 1 ? apply_change<1> : apply_change<3>)(picture, side, change, out);
}

void change_picture_gradient(const PictureView& gradient, int64_t side, int64_t colours,
                             const PictureChange& change, float* out) {
  (colours == 1 ? return_change<1> : return_change<3>)(gradient, side, change, out);
}

}  // namespace nowhere
