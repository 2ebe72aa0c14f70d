import { z } from "zod";
import { parseBytes, SIZE_PATTERN } from "./size.ts";

export const SIZE_EXPECTED = 'must be a size such as "512MB", "1.5GB", "1GiB" or a number of bytes';

export const bytes = z
  .union([z.string().regex(SIZE_PATTERN, SIZE_EXPECTED), z.number().positive(SIZE_EXPECTED)], {
    error: SIZE_EXPECTED,
  })
  .transform((value, context) => {
    const read = parseBytes(value);
    if (read !== undefined) return read;
    context.addIssue({ code: "custom", message: SIZE_EXPECTED });
    return z.NEVER;
  });
