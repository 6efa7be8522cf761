import { fileURLToPath } from 'node:url'
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import type { AzureSettings } from '../settings'
import { startPeer } from './peer'

const program = fileURLToPath(
  new URL('../../../../node_modules/azurite/dist/src/blob/main.js', import.meta.url),
)

// The well-known account of the Azure emulators.
const account = 'devstoreaccount1'
const accountKey = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** Starts Azurite, the Azure Blob Storage emulator, with one container. */
export async function startAzurite(): Promise<{ settings: AzureSettings; stop(): Promise<void> }> {
  const peer = await startPeer(process.execPath, port => [
    ...[program, '--silent', '--disableTelemetry', '--skipApiVersionCheck', '--inMemoryPersistence'],
    ...['--blobHost', '127.0.0.1', '--blobPort', String(port)],
  ])
  const endpoint = `http://127.0.0.1:${peer.port}/${account}`
  const container = 'guildhall'
  const credential = new StorageSharedKeyCredential(account, accountKey)
  await new BlobServiceClient(endpoint, credential).createContainer(container)
  const settings: AzureSettings = {
    kind: 'azure',
    endpoint,
    account,
    accountKey,
    container,
    prefix: 'some/folder/',
  }
  return { ...peer, settings }
}
