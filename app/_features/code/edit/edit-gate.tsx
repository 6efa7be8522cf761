import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { LockIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { MissingPage } from '@/app/_features/repos/missing-page'
import { requireCode } from '@/app/_features/repos/read-repository'
import { codePath, repositoryPath } from '@/app/_lib/paths'
import { caller, orAbsent, requireSession } from '@/app/_lib/server'
import { visibleLine } from '@/app/_lib/visible-text'
import type { EditPage } from '@/server/code/edit/schema'
import { type EditedRepository, editedRepository } from './edited-repository'
import { editingOf } from './editing'

export interface EditParams {
  params: Promise<{ username: string; repo: string; path: string[] }>
}

interface EditGateProps extends EditParams {
  /** Title of the page. */
  title: string
  /** Whether the page is about a file, and not about a directory that can be new. */
  needsFile: boolean
  children: (page: EditPage, repository: EditedRepository) => ReactNode
}

/** Page that changes files of a branch, for people who can push. Tells others, and where nothing can be changed, why. */
export async function EditGate({ params, title, needsFile, children }: EditGateProps): Promise<ReactNode> {
  await requireSession()
  const home = await requireCode(params)
  const { repository } = home
  const editing = await editingOf(home)
  const back = <ButtonLink href={repositoryPath(repository)}>Go to the repository</ButtonLink>
  if (!editing) return <Closed title="You can’t change files of this repository" back={back} />
  if (editing.refusal) return <Closed title={editing.refusal} back={back} isTemporary />
  const path = (await params).path.join('/')
  const page = await orAbsent(
    (await caller()).code.edit.open({ owner: repository.owner.login, repo: repository.name, path }),
  )
  if (!page || (needsFile && !page.file)) {
    return (
      <MissingPage title="There’s no such file" instead={back}>
        <p>{page ? 'The branch has no file with this path.' : 'No branch has this name.'}</p>
      </MissingPage>
    )
  }
  const { obstacle } = page.file ?? {}
  const here = codePath(repository, 'src', { kind: 'branch', name: page.branch }, page.path)
  if (!needsFile && page.file) redirect(here)
  if (obstacle === 'symlink' || obstacle === 'submodule') {
    return (
      <EmptyState
        icon={LockIcon}
        title={`A ${obstacle === 'symlink' ? 'symbolic link' : 'submodule'} can’t be changed here`}
        action={<ButtonLink href={here}>Back to {visibleLine(page.path)}</ButtonLink>}
      >
        <p>Clone the repository, change it with Git, and push.</p>
      </EmptyState>
    )
  }
  return (
    <>
      <h2 className="visually-hidden">{title}</h2>
      <noscript>
        <p>
          Files can only be changed here with JavaScript. Without it, clone the repository, and push your
          changes with Git.
        </p>
      </noscript>
      {children(page, editedRepository(repository))}
    </>
  )
}

interface ClosedProps {
  title: string
  back: ReactNode
  isTemporary?: boolean
}

const Closed = ({ title, back, isTemporary = false }: ClosedProps): ReactNode => (
  <EmptyState icon={LockIcon} title={title} action={back}>
    <p>
      {isTemporary
        ? 'Its files can’t be changed.'
        : 'Ask its owner for write access, or clone it and change your copy.'}
    </p>
  </EmptyState>
)
