/**
 * Returns the paths that contain the letters of a text in this order, ignoring case and spaces. Paths with the text
 * in one piece come first, then those with it in the file name, then the shorter ones.
 */
export function rankPaths(paths: readonly string[], text: string, limit: number): string[] {
  const letters = text.toLowerCase().replace(/\s+/g, '')
  if (letters === '') return paths.slice(0, limit)
  const ranked = paths.flatMap(path => {
    const lower = path.toLowerCase()
    if (!hasInOrder(lower, letters)) return []
    const inName = lower.slice(lower.lastIndexOf('/') + 1).includes(letters)
    const score = (inName ? 0 : lower.includes(letters) ? 1 : 2) * 10_000 + path.length
    return [{ path, score }]
  })
  return ranked
    .sort((a, b) => a.score - b.score || (a.path < b.path ? -1 : 1))
    .slice(0, limit)
    .map(({ path }) => path)
}

function hasInOrder(path: string, letters: string): boolean {
  let at = -1
  for (const letter of letters) {
    at = path.indexOf(letter, at + 1)
    if (at < 0) return false
  }
  return true
}
