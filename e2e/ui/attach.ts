import { expect } from '@playwright/test'
import { adminHeaders } from '../process/api'

/** Attaches a file with this content to a release of the repository, as the administrator. */
export async function attach(site: string, path: string, release: number, name: string, text: string) {
  const response = await fetch(`${site}/api/v1/repos${path}/releases/${release}/assets?name=${name}`, {
    method: 'POST',
    headers: { ...adminHeaders, 'content-type': 'application/octet-stream' },
    body: text,
  })
  expect(response.status).toBe(201)
}
