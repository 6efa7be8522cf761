import { PingService } from '@/proto/gen/ping/v1/ping_pb'
import { createMethod } from './method'

const smallBytes = 64 * 1024

/** The methods of `ping.v1.PingService` and `runner.v1.RunnerService`. */
export const methods = [
  createMethod(
    PingService.method.ping,
    { maxBytes: smallBytes, authenticate: async ctx => ctx },
    async (_, { data }) => ({ data: `Hello, ${data}!` }),
  ),
]
