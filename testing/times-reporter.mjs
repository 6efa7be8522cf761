import { mkdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Writes what each file of tests took in each lane into `dist/times.json`: lane, file, milliseconds. */
export default class TimesReporter {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
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
