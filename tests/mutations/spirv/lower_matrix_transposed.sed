# src/shader/lower/matrix.cpp
# A matrix times a vector uses the columns as rows.
s/row.push_back(m\[c \* rows + r\]);/row.push_back(m[r * v.size() + c]);/
