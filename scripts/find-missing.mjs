/**
 * Looks for what some of the tests need, before any of them runs.
 * @param {import('../testing/programs.mjs').Program[]} programs
 * @param {{ required: boolean }} options Whether a missing one fails the run, as it does where `CI` is set.
 * @returns {Promise<{ missing: Set<string>, lines: string[], fails: boolean }>} One line for each missing program.
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
    const why = isRequired ? `CI is set, and these would be skipped: ${tests}` : `skipping ${tests}`
    lines.push(`${name} was not found: ${why}. To get it, ${install}`)
  }
  return { missing, lines, fails }
}
