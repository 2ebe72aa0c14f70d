import { toElf } from "./elf.ts";

/**
 * The one program of ours in a virtual machine that no shell can be: it reads 56 bytes, sets the clock to the first 16, and adds the
 * rest to the kernel's randomness, which is used from then on. In machine code, since a host need not have a compiler.
 * Descriptor 0 is the control port, 1 is `/dev/urandom`. When all of it was done it says so, and ends with 0 once the host has more to
 * say: until then nothing runs in the machine but the program.
 */
export function awakenProgram(): Buffer {
  return toElf(CODE);
}

const CODE = Buffer.from(
  [
    "4883ec40", // sub rsp, 64
    "31db", // xor ebx, ebx          so many bytes are there
    // again:
    "31c0", // xor eax, eax          read(0, rsp + rbx, 56 - rbx)
    "31ff", // xor edi, edi
    "488d341c", // lea rsi, [rsp + rbx]
    "ba38000000", // mov edx, 56
    "29da", // sub edx, ebx
    "0f05", // syscall
    "85c0", // test eax, eax
    "0f8e92000000", // jle failed
    "01c3", // add ebx, eax
    "83fb38", // cmp ebx, 56
    "75e0", // jne again
    "b8e3000000", // mov eax, 227    clock_settime(CLOCK_REALTIME, rsp)
    "31ff", // xor edi, edi
    "4889e6", // mov rsi, rsp
    "0f05", // syscall
    "85c0", // test eax, eax
    "757b", // jne failed
    "b810000000", // mov eax, 16     ioctl(1, RNDADDENTROPY, rsp + 16)
    "bf01000000", // mov edi, 1
    "be03520840", // mov esi, 0x40085203
    "488d542410", // lea rdx, [rsp + 16]
    "0f05", // syscall
    "85c0", // test eax, eax
    "7561", // jne failed
    "b810000000", // mov eax, 16     ioctl(1, RNDRESEEDCRNG)
    "bf01000000", // mov edi, 1
    "be07520000", // mov esi, 0x5207
    "31d2", // xor edx, edx
    "0f05", // syscall
    "85c0", // test eax, eax
    "754a", // jne failed
    "48b86177616b6520300a", // mov rax, "awake 0\n"
    "48890424", // mov [rsp], rax
    "b801000000", // mov eax, 1      write(0, rsp, 8)
    "31ff", // xor edi, edi
    "4889e6", // mov rsi, rsp
    "ba08000000", // mov edx, 8
    "0f05", // syscall
    "83f808", // cmp eax, 8
    "7526", // jne failed
    "48b80000000001000000", // mov rax, { fd: 0, events: POLLIN }
    "48890424", // mov [rsp], rax
    "b807000000", // mov eax, 7      poll(rsp, 1, -1)
    "4889e7", // mov rdi, rsp
    "be01000000", // mov esi, 1
    "baffffffff", // mov edx, -1
    "0f05", // syscall
    "31ff", // xor edi, edi
    "eb05", // jmp end
    "bf01000000", // failed: mov edi, 1
    "b83c000000", // end: mov eax, 60   exit(edi)
    "0f05", // syscall
  ].join(""),
  "hex",
);
