const everyMs = 3000

/**
 * Does one part of a longer work, tells its name when it begins, a dot every few seconds while it goes on, and at the
 * end how long it took. On standard error: standard output is the log's.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {{ write(text: string): unknown }} output
 * @returns {Promise<T>}
 */
export async function phase(name, work, output = process.stderr) {
  const began = Date.now()
  output.write(`${name} .`)
  const ticking = setInterval(() => output.write('.'), everyMs)
  try {
    return await work()
  } finally {
    clearInterval(ticking)
    output.write(` ${((Date.now() - began) / 1000).toFixed(1)} s\n`)
  }
}
