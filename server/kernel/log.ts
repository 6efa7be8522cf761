import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './log-level'

export type { Logger }

/**
 * Creates a logger that writes structured lines, by default to standard output. Fields that could contain a
 * secret are redacted.
 */
export function createLog(level: LogLevel, destination: DestinationStream = pino.destination(1)): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: ['*.password', '*.token', '*.key', '*.authorization', '*.cookie', 'req.headers'],
  }
  return pino(options, destination)
}
