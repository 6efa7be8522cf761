import { expect, it } from 'vitest'
import { hasArtifactClients } from '@/testing/artifact-clients/client'
import { openReceiver } from '@/testing/receiver'
import { tellStory } from '../story/story'
import { adminToken } from './api'
import { adminEnvironment, dataDirectory, start, temporaryDirectory } from './guildhall'

const hasClients = await hasArtifactClients()

it.skipIf(!hasClients)(
  'a push runs a job whose artifact is on its page, its webhook told of it, and a release is published',
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
    const told = await tellStory({ url: guildhall.url, token, receiver, folder: folder.path })
    expect(told.run.conclusion).toBe('success')
    const textOf = async (path: string) => (await fetch(guildhall.url + path)).text()
    expect(await textOf(told.run.path)).toContain(told.artifact.name)
    expect(await textOf(told.artifact.path)).toContain(told.artifact.name)
    const file = `/atelier/press/actions/artifacts/${told.artifact.id}/files/report.json`
    expect(JSON.parse(await textOf(file))).toEqual({ tests: 12, failed: 0 })
    for (const asset of told.release.assets) expect(await textOf(told.release.path)).toContain(asset)
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
