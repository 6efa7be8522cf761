import { type Logger, pino } from 'pino'
import type { LogLevel } from './config'

export type { Logger }

/** Structured lines on standard output; fields that could carry a secret are cut out whatever wrote them. */
export function createLog(level: LogLevel): Logger {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: label => ({ level: label }) },
    redact: ['*.password', '*.token', '*.key', '*.authorization', '*.cookie', 'req.headers'],
  })
}
