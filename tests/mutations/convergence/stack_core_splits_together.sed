# src/runtime/exec/reconvergence_stack.cpp
# Lanes that part count as still together with the workgroup.
s/return votes == vote_yes || votes == vote_no;/return votes != 0;/
