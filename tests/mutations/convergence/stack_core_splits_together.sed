# src/runtime/exec/reconvergence_stack.cpp
# Lanes that part count as still together with the workgroup.
s/together = votes == vote_yes || votes == vote_no;/together = votes != 0;/
