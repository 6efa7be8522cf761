import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './log-level'
import { createLogOutput } from './log-output'

export type { Logger }

/**
 * Creates a logger that writes structured lines, by default to standard output. Fields that could contain a
 * secret are redacted.
 */
export function createLog(level: LogLevel, destination: DestinationStream = standardOutput()): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: ['*.password', '*.token', '*.key', '*.authorization', '*.cookie', 'req.headers'],
  }
  return pino(options, destination)
}

/** The fields of a request's line. None of them can contain a secret, so they are not searched for any. */
export interface RequestLine {
  requestId: string
  method: string
  path: string
  status: number
  ms: number
  mount: string
}

const requestMessage = 'request'

/**
 * Returns a function that logs a request. On standard output, such lines are written in batches, after 50 ms at
 * the latest and before any other line.
 */
export function createRequestLog(log: Logger): (line: RequestLine) => void {
  const unredacted = log.child({}, { redact: [] })
  return line => unredacted.info(line, requestMessage)
}

/** A destination that pino tells about each line before it writes it. */
interface InformedDestination extends DestinationStream {
  [pinoMetadata]: true
  lastMsg?: string
}
const pinoMetadata: unique symbol = Symbol.for('pino.metadata') as never

let destinationOfProcess: InformedDestination | undefined

function standardOutput(): InformedDestination {
  destinationOfProcess ??= createDestination()
  return destinationOfProcess
}

function createDestination(): InformedDestination {
  const output = createLogOutput()
  // Also emitted after an uncaught exception.
  process.on('exit', () => output.end())
  return {
    [pinoMetadata]: true,
    write(line) {
      if (this.lastMsg === requestMessage) output.writeSoon(line)
      else output.write(line)
    },
  }
}
