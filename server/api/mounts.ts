import { archivesMount } from './archives/handler'
import { artifactDownloadsMount } from './artifact-downloads/handler'
import { artifactZipMount } from './artifact-downloads/zip-handler'
import { artifactRpcMount } from './artifact-rpc/mount'
import { artifactUploadsMount } from './artifact-uploads/handler'
import { authorizedKeysMount } from './authorized-keys/handler'
import { avatarsMount } from './avatars/handler'
import { badgesMount } from './badges/handler'
import { diffsMount } from './diffs/handler'
import { downloadsMount } from './downloads/handler'
import { eventExportsMount } from './event-exports/handler'
import { formsMount } from './forms/handler'
import { gitMount } from './git/handler'
import { lfsMount } from './git/lfs'
import { healthMount } from './health/handler'
import { jobLogsMount } from './job-logs/handler'
import { metricsMount } from './metrics/handler'
import type { Mount } from './mount'
import { noEndpointMount } from './no-endpoint'
import { rawFilesMount } from './raw-files/handler'
import { apiDocsMount } from './rest/api-docs'
import { restMount } from './rest/handler'
import { openApiMount } from './rest/openapi'
import { runnerRpcMount } from './runner-rpc/mount'
import { trpcMount } from './trpc/handler'
import { liveMount } from './trpc/live'
import { uploadsMount } from './uploads/handler'

/**
 * All mounts, with an example of each form of path that they serve. The first mount that matches a request
 * serves it. The matcher in `proxy.ts` lists the same paths by hand, and a test compares both with these
 * examples.
 */
export const table: readonly (readonly [mount: Mount, ...paths: string[]])[] = [
  [openApiMount, '/api/v1/openapi.json'],
  [apiDocsMount, '/api/docs/calls', '/api/docs/calls/keys-listMine'],
  [
    archivesMount,
    '/acme/site/archive/main.zip',
    '/acme/site/archive/a/b.tar.gz',
    '/acme/site/archive/a',
    '/api/v1/repos/acme/site/archive/main.zip',
    '/api/v1/repos/acme/site/tarball/a/b',
    '/api/v1/repos/acme/site/zipball/v1',
    '/api/v1/repos/acme/site/bundle/main',
  ],
  [
    rawFilesMount,
    '/acme/site/raw/branch/main/a.txt',
    '/acme/site/media/tag/v1/a/b.png',
    '/acme/site/raw/main/a.txt',
    '/api/v1/repos/acme/site/raw/a/b.txt',
    '/api/v1/repos/acme/site/media/a.txt',
  ],
  [
    diffsMount,
    '/acme/site/commit/0123abc.diff',
    '/acme/site/compare/main...topic/a.patch',
    '/api/v1/repos/acme/site/git/commits/main.patch',
    '/api/v1/repos/acme/site/compare/main...topic.diff',
    '/api/v1/repos/acme/site/compare/main...topic?output=diff',
  ],
  [
    downloadsMount,
    '/attachments/7d0a9c1e-0000-4000-8000-000000000000',
    '/acme/site/attachments/7d0a9c1e-0000-4000-8000-000000000000',
    '/acme/site/releases/attachments/7d0a9c1e-0000-4000-8000-000000000000',
    '/acme/site/releases/download/v1.0/tool.tar.gz',
    '/acme/site/releases/download/rel/v1/tool.tar.gz',
    '/acme/site/releases/latest/download/tool.tar.gz',
  ],
  [
    artifactDownloadsMount,
    '/-/artifacts/download/1-1790000000',
    '/-/artifacts/download/1-1790000000/artifact.zip',
    '/acme/site/actions/artifacts/1/download',
    '/acme/site/actions/artifacts/1/view',
    '/acme/site/actions/artifacts/latest/view',
    '/acme/site/actions/artifacts/1/files/a',
    '/acme/site/actions/artifacts/1/files/a/b.txt',
  ],
  [
    artifactRpcMount,
    '/twirp/github.actions.results.api.v1.ArtifactService/CreateArtifact',
    '/twirp/other/method',
    '/twirp',
    '/api/actions_pipeline/_apis/pipelines/workflows/1/artifacts',
  ],
  [runnerRpcMount, '/api/actions/runner.v1.RunnerService/FetchTask', '/api/actions/other', '/api/actions'],
  [
    artifactZipMount,
    '/api/v1/repos/acme/site/actions/artifacts/1/zip',
    '/api/v1/repos/acme/site/actions/artifacts/1/zip/raw',
  ],
  [jobLogsMount, '/api/v1/repos/acme/site/actions/jobs/1/logs', '/acme/site/actions/jobs/1/logs'],
  [badgesMount, '/acme/site/actions/workflows/ci.yml/badge.svg'],
  [restMount, '/api/v1', '/api/v1/', '/api/v1/user/keys', '/api/v1/repos/acme/site/branches/a/b'],
  [liveMount, '/api/trpc/live.follow'],
  [trpcMount, '/api/trpc', '/api/trpc/sessions.getCurrent'],
  [uploadsMount, '/api/uploads', '/api/uploads/00112233445566778899aabbccddeeff'],
  [artifactUploadsMount, '/-/artifacts/upload/1-2-3'],
  [
    noEndpointMount,
    '/api',
    '/api/docs/none',
    '/api/packages/acme/npm/tool',
    '/api/v2/user',
    '/v2',
    '/v2/acme/tool/manifests/1',
  ],
  [healthMount, '/healthz', '/readyz', '/healthz/'],
  [metricsMount, '/metrics'],
  [eventExportsMount, '/-/admin/events.csv', '/-/admin/events.jsonl'],
  [formsMount, '/-/forms/sign-in', '/-/forms/sign-out'],
  [avatarsMount, '/avatars/1', '/avatars/1/'],
  [authorizedKeysMount, '/ada.keys', '/ada.b.keys', '/-/user-keys/ada'],
  [
    gitMount,
    '/acme/site/info/refs',
    '/acme/site.git/info/refs',
    '/acme/site.git/git-upload-pack',
    '/acme/site.git/git-receive-pack',
    '/acme/site.git/HEAD',
    '/acme/site.git/objects/info/packs',
    '/acme/site.git/objects/pack/pack-1.pack',
    '/acme/site.git/objects/00/11223344556677889900112233445566778899',
  ],
  [lfsMount, '/acme/site.git/info/lfs/objects/batch', '/acme/site/info/lfs/locks', '/acme/site.git/info/lfs'],
]

export const mounts: readonly Mount[] = table.map(([mount]) => mount)
