/**
 * @typedef {{ lane: string, file: string, ms: number }} Time What a file of tests took in one lane.
 * @typedef {{ folder: string, seconds: number }} Budget
 */

/**
 * What a run took by lane and by folder, its ten slowest files, and the folders over their budget. Files of a lane run two
 * at a time, so that their sum is about twice what one waits.
 * @param {Time[]} times
 * @param {Budget[]} budgets None says nothing of budgets.
 * @returns {string}
 */
export function describeTimes(times, budgets) {
  const folders = sumBy(times, ({ file }) => folderOf(file, budgets))
  const over = budgets
    .map(({ folder, seconds }) => ({ folder, seconds, took: folders.get(folder) ?? 0 }))
    .filter(({ seconds, took }) => took > seconds * 1000)
  const slowest = [...times].sort((a, b) => b.ms - a.ms).slice(0, 10)
  return [
    'minutes of each lane, all files added up:',
    ...linesOf(sumBy(times, ({ lane }) => lane)),
    'minutes of each folder, all files added up:',
    ...linesOf(folders),
    'the slowest files, in seconds:',
    ...slowest.map(({ lane, file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)}  ${file} (${lane})`),
    ...over.map(
      ({ folder, seconds, took }) =>
        `${folder} is over its budget of ${seconds} s in docs/tests.md: ${(took / 1000).toFixed(0)} s`,
    ),
  ].join('\n')
}

/**
 * What the browser's report says each file took.
 * @param {{ suites?: object[] }} report Of Playwright's JSON reporter.
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
