/**
 * @typedef {{ lane: string, file: string, ms: number }} Time The duration of a test file in one test project (`lane`), in milliseconds.
 * @typedef {{ folder: string, seconds: number }} Budget The time budget of a folder of tests.
 */

/**
 * Returns a report of test durations by test project and by folder, the ten slowest files, and the folders
 * over budget. Two files of a project run concurrently, so sums are about twice the elapsed time.
 * @param {Time[]} times
 * @param {Budget[]} budgets If empty, the report leaves out budgets.
 * @returns {string}
 */
export function describeTimes(times, budgets) {
  const folders = sumBy(times, ({ file }) => folderOf(file, budgets))
  const over = budgets
    .map(({ folder, seconds }) => ({ folder, seconds, took: folders.get(folder) ?? 0 }))
    .filter(({ seconds, took }) => took > seconds * 1000)
  const slowest = [...times].sort((a, b) => b.ms - a.ms).slice(0, 10)
  return [
    'Minutes per test project, summed over its files:',
    ...linesOf(sumBy(times, ({ lane }) => lane)),
    'Minutes per folder, summed over its files:',
    ...linesOf(folders),
    'Slowest files, in seconds:',
    ...slowest.map(({ lane, file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)}  ${file} (${lane})`),
    ...over.map(
      ({ folder, seconds, took }) =>
        `${folder} took ${(took / 1000).toFixed(0)} s, which exceeds its budget of ${seconds} s in docs/tests.md`,
    ),
  ].join('\n')
}

/**
 * Returns the duration of each test file in a report of the browser tests.
 * @param {{ suites?: object[] }} report The report of Playwright's JSON reporter.
 * @returns {Time[]}
 */
export function browserTimes(report) {
  return (report.suites ?? []).map(suite => ({
    lane: 'browser',
    file: `e2e/ui/${suite.file}`,
    ms: specsOf(suite)
      .flatMap(({ tests }) => tests.flatMap(test => test.results))
      .reduce((sum, { duration }) => sum + duration, 0),
  }))
}

const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)]

const folderOf = (file, budgets) =>
  budgets.find(({ folder }) => file.startsWith(`${folder}/`))?.folder ?? file.split('/', 1)[0]

function sumBy(times, keyOf) {
  const sums = new Map()
  for (const time of times) sums.set(keyOf(time), (sums.get(keyOf(time)) ?? 0) + time.ms)
  return sums
}

const linesOf = sums =>
  [...sums]
    .sort((a, b) => b[1] - a[1])
    .map(([name, ms]) => `${(ms / 60_000).toFixed(1).padStart(7)}  ${name}`)
