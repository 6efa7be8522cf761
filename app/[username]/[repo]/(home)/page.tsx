import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { BranchState } from '@/app/_features/code/branch-state'
import { CodeScreen } from '@/app/_features/code/code-screen'
import { type Editing, editingOf } from '@/app/_features/code/edit/editing'
import { About } from '@/app/_features/repos/home/about'
import { CloneMenu } from '@/app/_features/repos/home/clone-menu'
import { EmptyHome } from '@/app/_features/repos/home/empty-home'
import { FilledHome } from '@/app/_features/repos/home/filled-home'
import styles from '@/app/_features/repos/home/home.module.css'
import { YourAccess } from '@/app/_features/repos/home/your-access'
import {
  type RepositoryParams,
  repositoryAt,
  type ShownRepository,
  titleOf,
} from '@/app/_features/repos/read-repository'
import { repositoryPath } from '@/app/_lib/paths'
import { caller, currentSession, renderedIncomplete, type SearchParams, textParam } from '@/app/_lib/server'
import type { CodeRoot } from '@/server/code/pages/schema'

interface HomePageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props)

export default async function HomePage({ params, searchParams }: HomePageProps): Promise<ReactNode> {
  const { username, repo } = await params
  const home = await repositoryAt(username, repo)
  const me = (await currentSession())?.user.login
  const { owner, name, description, empty } = home.repository
  const asksWhy = me !== undefined && (await textParam(searchParams, 'why')) === me
  const explanation = asksWhy
    ? await (await caller()).repos.explainAccess({ owner: owner.login, repo: name, username: me })
    : undefined

  const path = { owner: owner.login, repo: name }
  const editing = await editingOf(home)
  const { code, releases } = await caller()
  const [root, latest] = await Promise.all([
    empty || !home.repository.permissions.pull ? null : code.pages.showRoot(path),
    home.releases ? releases.manage.showLatest(path) : null,
  ])
  if (root && (root.isUnreadable || root.languages === null)) renderedIncomplete()

  return (
    <>
      {explanation ? <YourAccess explanation={explanation} repository={home.repository} /> : null}
      {description ? (
        <p className={styles.summary}>
          <bdi>{description}</bdi>
        </p>
      ) : null}
      <div className={styles.columns}>
        <div className={styles.main}>
          {empty ? (
            <EmptyHome home={home} isEditable={editing?.refusal === null} />
          ) : (
            <FilledHome home={home}>{codeOf(home, root, editing)}</FilledHome>
          )}
        </div>
        <About home={home} root={root} latest={latest} me={me} />
      </div>
    </>
  )
}

function codeOf(
  { repository }: ShownRepository,
  root: CodeRoot | null,
  editing: Editing | undefined,
): ReactNode {
  if (root?.isUnreadable) {
    return <p className={styles.muted}>Couldn’t load the files. Reload the page to try again.</p>
  }
  if (!root?.page) return null
  const { page } = root
  const { name, commit } = page.revision
  return (
    <BranchState key={name} branch={name} commit={commit} home={repositoryPath(repository)}>
      <CodeScreen
        repository={repository}
        page={page}
        editing={editing}
        actions={<CloneMenu repository={repository} />}
      />
    </BranchState>
  )
}
