import fc from "fast-check";

/** Property tests draw the same cases each time, so that a run of the tests says something about the change at hand; another seed draws others. */
fc.configureGlobal({ seed: Number(process.env["KEYHOLE_TEST_SEED"] ?? 1) });
