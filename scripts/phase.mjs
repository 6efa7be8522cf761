const everyMs = 3000

/**
 * Performs one part of a longer operation and prints its progress: the name at the start, a dot every three
 * seconds, and the duration at the end. Writes to standard error, because standard output is for the log.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {{ write(text: string): unknown }} output
 * @returns {Promise<T>} The result of `work`.
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
