import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Makes V8 collect old objects once they exceed those in use by half. By default it waits for up to three times as
 * much, because each page in progress leaves hundreds of kilobytes of them. Rendering takes up to a tenth more processor
 * time, and the process almost half as much memory under load.
 */
export function limitGarbage(): void {
  setFlagsFromString('--heap-growing-percent=50')
}

/**
 * Collects all garbage and returns free memory to the system. Blocks the main thread for some tenths of a second.
 */
export function freeMemory(): void {
  // The function exists in contexts that are created while the flag is set.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  // Without this, pages that are nearly empty are kept.
  setFlagsFromString('--compact-on-every-full-gc')
  collect()
  setFlagsFromString('--no-compact-on-every-full-gc')
}
