// The order matters: newer browsers also include the names of older ones.
const browsers: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|Chromium\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const firstMatch = (table: [RegExp, string][], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]

/**
 * Returns a name for a browser that people recognize, such as "Firefox on Linux", from its User-Agent header.
 */
export function browserName(userAgent: string): string {
  const browser = firstMatch(browsers, userAgent) ?? userAgent.split(/[ /]/, 1)[0]
  const system = firstMatch(systems, userAgent)
  return `${browser || 'Unknown browser'}${system ? ` on ${system}` : ''}`
}
