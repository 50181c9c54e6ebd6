#pragma once

/// \file
/// gdb's printers of Lockstep's types (printers.py), in a section that gdb reads and no process loads. Each source
/// that includes this has them, and the linker keeps one copy.

#if defined(__ELF__) && defined(LOCKSTEP_GDB_PRINTERS)
asm(".pushsection \".debug_gdb_scripts\", \"MS\", %progbits, 1\n"
    ".byte 4\n"  // a Python script: its name and a line break, then its text
    ".ascii \"lockstep-printers\\n\"\n"
    ".incbin \"" LOCKSTEP_GDB_PRINTERS
    "\"\n"
    ".byte 0\n"
    ".popsection\n");
#endif
