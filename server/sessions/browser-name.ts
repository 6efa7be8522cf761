// In this order: later browsers also carry the names of earlier ones.
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

/** "Firefox on Linux": what a person recognizes in the text a browser sends of itself. */
export function browserName(userAgent: string): string {
  const browser = firstMatch(browsers, userAgent) ?? userAgent.split(/[ /]/, 1)[0]
  const system = firstMatch(systems, userAgent)
  return `${browser || 'Unknown browser'}${system ? ` on ${system}` : ''}`
}
