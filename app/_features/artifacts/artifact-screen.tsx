'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { CommandLine, CopyButton } from '@/app/_components/copy-button'
import { EmptyState } from '@/app/_components/empty-state'
import { Fact, FactList } from '@/app/_components/fact-list'
import { ClockIcon, DownloadIcon, TrashIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { Trail } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { readFailure } from '@/app/_lib/failure'
import { formatBytes, shellWord } from '@/app/_lib/format'
import { artifactBytesPath, artifactPath, repositoryPath, runPath } from '@/app/_lib/paths'
import { useLive } from '@/app/_lib/use-live'
import { isolated, visibleLine } from '@/app/_lib/visible-text'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { ArtifactPageAnswer, ShownArtifact } from '@/server/artifacts/contents/schema'
import type { ArtifactsRepository } from './artifact-list'
import styles from './artifact-screen.module.css'
import { FilePreview } from './file-preview'
import { KindIcon } from './kind-icon'
import { artifactQuery } from './queries'
import { RemoveDialog } from './remove-dialog'
import { useExpiry } from './use-expiry'
import { ZipBrowser } from './zip-browser'

interface ArtifactScreenProps {
  repository: ArtifactsRepository & { id: number; private: boolean }
  run: number
  /** ID or name, as in the page's URL. */
  artifact: string
  /** Whether live updates are on. Only signed-in people receive them. */
  isFollowed: boolean
  /** Base URL of this site, for commands. */
  baseUrl: string
}

/** Page of an artifact and its contents. */
export function ArtifactScreen(props: ArtifactScreenProps): ReactNode {
  const { repository, run, isFollowed } = props
  const path = { owner: repository.owner.login, repo: repository.name }
  const queryClient = useQueryClient()
  const { data, error, dataUpdatedAt, refetch } = useQuery(artifactQuery(path, run, props.artifact))
  const isUploading = data?.artifact.state === 'uploading'
  useSelfUpdating(error)
  useLive(isFollowed ? [{ topic: 'runs', id: repository.id }] : [], () => {
    void queryClient.invalidateQueries({ queryKey: ['artifact', path.owner, path.repo, run] })
  })
  const expiresAt = data?.artifact.state === 'available' ? data.artifact.expires_at : undefined
  useExpiry(expiresAt, dataUpdatedAt, refetch)
  if (error && readFailure(error).kind === 'notFound') return <Deleted runHref={runPath(repository, run)} />
  if (!data) return null
  const { artifact } = data
  return (
    <>
      <Trail steps={stepsTo(repository, data)} />
      <Head repository={repository} found={data} />
      <Facts artifact={artifact} />
      {artifact.state === 'expired' ? (
        <Expired artifact={artifact} runHref={runPath(repository, run)} />
      ) : isUploading ? (
        <p className={styles.note}>
          This artifact is still uploading. You can download it once the upload finishes.
        </p>
      ) : (
        <>
          {artifact.kind === 'zip' ? (
            <ZipBrowser repository={repository} artifact={artifact.id} />
          ) : (
            <FilePreview
              name={artifact.name}
              kind={artifact.kind}
              size={artifact.size}
              viewHref={artifactBytesPath(repository, artifact.id, 'view')}
              downloadHref={artifactBytesPath(repository, artifact.id, 'download')}
            />
          )}
          <DownloadCommand {...props} artifact={artifact} />
        </>
      )}
    </>
  )
}

function stepsTo(repository: ArtifactsRepository, { run, artifact }: ArtifactPageAnswer) {
  return [
    { href: repositoryPath(repository, 'actions'), label: 'Actions' },
    {
      href: runPath(repository, run.id),
      label: `${isolated(run.workflow_name)} #${run.number}`,
    },
    { href: artifactPath(repository, run.id, artifact.id), label: visibleLine(artifact.name) },
  ]
}

function Head({
  repository,
  found,
}: {
  repository: ArtifactsRepository
  found: ArtifactPageAnswer
}): ReactNode {
  const { artifact, run, may_write: mayWrite } = found
  const router = useRouter()
  const [isAsking, setAsking] = useState(false)
  return (
    <header className={styles.head}>
      <span className={styles.icon}>
        <KindIcon kind={artifact.kind} />
      </span>
      <h2 className={styles.title}>
        <bdi>{visibleLine(artifact.name)}</bdi>
      </h2>
      <span className={styles.actions}>
        {artifact.state === 'available' ? (
          // A plain link, because the router would try to render the download.
          <Button
            as="a"
            href={artifactBytesPath(repository, artifact.id, 'download')}
            download
            variant="primary"
            leadingVisual={DownloadIcon}
          >
            Download
          </Button>
        ) : null}
        {mayWrite && artifact.state !== 'uploading' ? (
          <Button variant="danger" onClick={() => setAsking(true)}>
            Delete
          </Button>
        ) : null}
      </span>
      {isAsking ? (
        <RemoveDialog
          path={{ owner: repository.owner.login, repo: repository.name }}
          run={run.id}
          artifacts={[artifact]}
          onRemoved={() => router.push(runPath(repository, run.id))}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </header>
  )
}

function Facts({ artifact }: { artifact: ShownArtifact }): ReactNode {
  const { id, size, sha256, content_type: type, job, attempt, state } = artifact
  return (
    <FactList>
      <Fact term="Size" title={`${size.toLocaleString('en-US')} bytes`}>
        {formatBytes(size)}
      </Fact>
      <Fact term="Type">{type}</Fact>
      <Fact term={state === 'uploading' ? 'Started' : 'Uploaded'}>
        <span>
          <RelativeDate value={artifact.created_at} /> by {job.name}
          {attempt > 1 ? `, attempt ${attempt}` : null}
        </span>
      </Fact>
      <Fact term={state === 'expired' ? 'Expired' : 'Expires'}>
        <RelativeDate value={artifact.expires_at} future={state !== 'expired'} />
      </Fact>
      <Fact term="Artifact ID">
        <code>{id}</code>
        <CopyButton text={String(id)} what="artifact ID" />
      </Fact>
      {sha256 ? (
        <Fact term="SHA-256" wide>
          <code>{sha256}</code>
          <CopyButton text={sha256} what="SHA-256" />
        </Fact>
      ) : null}
    </FactList>
  )
}

function Deleted({ runHref }: { runHref: string }): ReactNode {
  return (
    <EmptyState
      icon={TrashIcon}
      title="This artifact was deleted"
      action={<ButtonLink href={runHref}>Back to the run</ButtonLink>}
    >
      <p>Its content can’t be restored.</p>
    </EmptyState>
  )
}

function Expired({ artifact, runHref }: { artifact: ShownArtifact; runHref: string }): ReactNode {
  return (
    <EmptyState
      icon={ClockIcon}
      title="This artifact has expired"
      action={<ButtonLink href={runHref}>Back to the run</ButtonLink>}
    >
      <p>
        Its content was deleted after {day(artifact.expires_at)} and can’t be restored. Run the workflow again
        to recreate it. To keep artifacts longer, use <code>retention-days</code>.
      </p>
    </EmptyState>
  )
}

const day = (time: string): string =>
  new Date(time).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** Shows the command that downloads the artifact. */
function DownloadCommand({
  repository,
  baseUrl,
  artifact,
}: Pick<ArtifactScreenProps, 'repository' | 'baseUrl'> & { artifact: ShownArtifact }): ReactNode {
  const url = `${baseUrl}/api/v1/repos${repositoryPath(repository, `actions/artifacts/${artifact.id}/zip`)}`
  const file = /^[\w.-]+$/.test(artifact.name) ? artifact.name : `artifact-${artifact.id}`
  const name = artifact.kind === 'zip' && !file.endsWith('.zip') ? `${file}.zip` : file
  const command = [
    'curl -fL',
    ...(repository.private ? ["-H 'Authorization: token TOKEN'"] : []),
    `-o ${shellWord(name)}`,
    shellWord(url),
  ].join(' ')
  const check = artifact.sha256
    ? `\necho ${shellWord(`${artifact.sha256}  ${name}`)} | sha256sum --check`
    : ''
  return (
    <details className={styles.command}>
      <summary>Download from the command line</summary>
      <CommandLine command={command + check} what="commands" />
    </details>
  )
}
