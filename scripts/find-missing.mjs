/**
 * Checks whether the programs that some tests need are installed.
 * @param {import('../testing/programs.mjs').Program[]} programs
 * @param {{ required: boolean }} options Whether a missing program fails the run unless it is optional, as
 * when `CI` is set.
 * @returns {Promise<{ missing: Set<string>, lines: string[], fails: boolean }>} The names of missing
 * programs, with a line for each that says which tests it affects and how to install it.
 */
export async function findMissing(programs, { required }) {
  const missing = new Set()
  const lines = []
  let fails = false
  for (const { name, tests, install, find, optional = false } of programs) {
    if (await find()) continue
    missing.add(name)
    const isRequired = required && !optional
    fails ||= isRequired
    const why = isRequired ? `CI is set, so ${tests} must not be skipped` : `skipping ${tests}`
    lines.push(`${name} was not found: ${why}. To get it, ${install}`)
  }
  return { missing, lines, fails }
}
