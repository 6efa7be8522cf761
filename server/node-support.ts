// Last day of security fixes, by major version, from Node.js's release schedule. Odd versions get them for half a
// year only and are not listed.
const fixedUntil = new Map([
  [20, '2026-04-30'],
  [22, '2027-04-30'],
  [24, '2028-04-30'],
  [26, '2029-04-30'],
])

/** Major version that is recommended, packaged and benchmarked. */
export const recommendedNode = 26

/**
 * Returns a warning if a version of Node.js, such as `20.20.2`, gets no security fixes at this time; undefined if
 * it does, or if the version is newer than this list.
 */
export function nodeWarning(version: string, now: Date): string | undefined {
  const major = Number.parseInt(version, 10)
  if (major > recommendedNode) return undefined
  const until = fixedUntil.get(major)
  if (until !== undefined && now.toISOString().slice(0, 10) <= until) return undefined
  const since = until === undefined ? '' : ` since ${until}`
  return `Node.js ${version} has had no security fixes${since}; use Node.js ${recommendedNode}`
}
