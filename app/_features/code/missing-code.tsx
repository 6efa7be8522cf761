import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { MissingPage } from '@/app/_features/repos/missing-page'
import { codePath, repositoryPath } from '@/app/_lib/paths'
import { visibleLine } from '@/app/_lib/visible-text'
import type { CodeKind, MissingCode as Missing } from '@/server/code/pages/schema'
import type { Repository } from '@/server/repos/schema'
import { CodeHeader } from './code-header'

interface MissingCodeProps {
  repository: Repository
  /** The kind of revision that was asked for. */
  kind: CodeKind
  missing: Missing
  section: 'src' | 'commits'
}

/** Says what does not exist of the revision and path that an address names, and leads to what does. */
export function MissingCode({ repository, kind, missing, section }: MissingCodeProps): ReactNode {
  const { revision, path } = missing
  if (!revision && repository.empty) {
    return (
      <MissingPage
        title="This repository is empty"
        instead={<ButtonLink href={repositoryPath(repository)}>See how to begin</ButtonLink>}
      >
        <p>Branches and commits appear here after the first push.</p>
      </MissingPage>
    )
  }
  if (!revision) {
    const sought = kind === 'any' ? 'branch, tag, or commit' : kind
    return (
      <MissingPage
        title={`No ${sought} has this name`}
        instead={<ButtonLink href={repositoryPath(repository)}>Go to the default branch</ButtonLink>}
      >
        <p>
          <bdi>{visibleLine(path)}</bdi> doesn’t begin with a {sought} of this repository. It may have been
          deleted or renamed.
        </p>
      </MissingPage>
    )
  }
  const name = revision.kind === 'commit' ? revision.name.slice(0, 10) : revision.name
  return (
    <>
      <CodeHeader repository={repository} page={{ revision, path: '', commits: null }} section={section} />
      <MissingPage
        title="No file or directory has this path"
        instead={
          <ButtonLink href={codePath(repository, section, revision)}>
            Go to the root of {visibleLine(name)}
          </ButtonLink>
        }
      >
        <p>
          <bdi>{visibleLine(path)}</bdi> doesn’t exist {revision.kind === 'commit' ? 'at' : 'in'} the{' '}
          {revision.kind} <bdi>{visibleLine(name)}</bdi>.
        </p>
      </MissingPage>
    </>
  )
}
