// SPDX-License-Identifier: Apache-2.0
// The matrices of hw06 for a side, whose sizes all hang on it and none on another, and products of
// two on the CPU.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep {

inline int64_t divided_up(int64_t n, int64_t by) { return (n + by - 1) / by; }
inline int64_t rounded_up(int64_t n, int64_t by) { return divided_up(n, by) * by; }

struct Matrix {
  int64_t rows, cols;
};

// C = A * B with A of n x r and B of r x m.
struct Product {
  int64_t n, r, m;
};

// Sides that are multiples of 32 are what tables show. Of any other side all numbers of rows and
// columns are drawn, each over its whole range: nobody knows of one by another. But a quarter of
// those that are ample have the form of the nearest multiple of 256: what is good everywhere but in
// the tables, or nowhere else, is met.
bool is_shown_side(int64_t side);

// What is moved, and what is multiplied. Loads of 16 bytes need rows of a multiple of 4: in half of
// all problems all rows are, in others some, or by chance.
Matrix moved(int64_t side);
Product multiplied(int64_t side);

// How many blocks copy so many elements: drawn for these, each over the whole range.
int64_t drawn_blocks(int64_t elements, int64_t least, int64_t most);

// Rows `first` to `end` of C, which are 0 before. Four rows of C at a time, so that a row of B is
// read once for four.
void multiply_rows(const Product& p, const double* a, const double* b, double* c, int64_t first,
                   int64_t end);

// Of each row of A or, with `columns`, each column of B: the root of the sum of squares.
std::vector<double> norms(const std::vector<double>& values, int64_t rows, int64_t cols,
                          bool columns);

}  // namespace lockstep
