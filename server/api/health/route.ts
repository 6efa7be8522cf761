import { processServices } from '@/server/services'
import { alive, ready } from './health'

export async function healthRoute(): Promise<Response> {
  return alive()
}

export async function readyRoute(): Promise<Response> {
  return await ready(await processServices())
}
