import { expect, it } from 'vitest'
import { hasArtifactClients } from '@/testing/artifact-clients/client'
import { Browser } from '@/testing/browser'
import { openReceiver } from '@/testing/receiver'
import { runScenario } from '../scenario/scenario'
import { adminToken } from './api'
import { admin, adminEnvironment, dataDirectory, start, temporaryDirectory } from './guildhall'

const hasClients = await hasArtifactClients()

it.skipIf(!hasClients)(
  'a push starts a job that uploads an artifact, webhooks are delivered, and a release is published',
  async () => {
    await using data = await dataDirectory()
    await using folder = await temporaryDirectory()
    const receiver = await openReceiver()
    const guildhall = await start({
      GUILDHALL_DATA_DIR: data.path,
      GUILDHALL_WEBHOOK_ALLOWED_HOSTS: 'loopback',
      ...adminEnvironment,
    })
    const token = await adminToken(guildhall.url)
    const { conclusion, artifact, assets, pages } = await runScenario({
      url: guildhall.url,
      token,
      receiver,
      folder: folder.path,
    })
    expect(conclusion).toBe('success')
    const browser = new Browser(guildhall)
    await browser.mutate('sessions.signIn', { login: admin.name, password: admin.password })
    const textOf = async (path: string) => {
      const headers = { cookie: browser.cookie }
      const response = await fetch(guildhall.url + path, { headers, redirect: 'manual' })
      expect([path, response.status]).toEqual([path, 200])
      return await response.text()
    }
    for (const path of Object.values(pages)) await textOf(path)
    expect(await textOf(pages.run)).toContain(artifact.name)
    expect(await textOf(pages.job)).toContain('Upload the result')
    expect(await textOf(pages.artifact)).toContain(artifact.name)
    const file = `/atelier/press/actions/artifacts/${artifact.id}/files/report.json`
    expect(JSON.parse(await textOf(file))).toEqual({ tests: 12, failed: 0 })
    for (const asset of assets) expect(await textOf(pages.release)).toContain(asset)
    const what = () =>
      receiver.calls.map(({ headers, body }) => `${headers['x-gitea-event']} ${JSON.parse(body).action}`)
    await expect
      .poll(what, { timeout: 20_000 })
      .toEqual(
        expect.arrayContaining([
          'workflow_run requested',
          'workflow_job queued',
          'workflow_job in_progress',
          'workflow_job completed',
          'workflow_run completed',
        ]),
      )
    await guildhall.end('SIGTERM')
    await receiver.close()
  },
  60_000,
)
