import { mkdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * A Vitest reporter that writes the duration of each test file in each test project (`lane`) to
 * `dist/times.json`, in milliseconds.
 */
export default class TimesReporter {
  /**
   * Writes the durations after all tests have ended.
   * @param {readonly import('vitest/node').TestModule[]} modules
   */
  onTestRunEnd(modules) {
    const times = modules.map(module => {
      const { collectDuration, setupDuration, duration } = module.diagnostic()
      return {
        lane: module.project.name,
        file: relative(process.cwd(), module.moduleId),
        ms: Math.round(collectDuration + setupDuration + duration),
      }
    })
    mkdirSync('dist', { recursive: true })
    writeFileSync('dist/times.json', JSON.stringify(times))
  }
}
