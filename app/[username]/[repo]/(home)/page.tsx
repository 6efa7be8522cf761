import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { About } from '@/app/_features/repos/home/about'
import { EmptyHome } from '@/app/_features/repos/home/empty-home'
import { FilledHome } from '@/app/_features/repos/home/filled-home'
import styles from '@/app/_features/repos/home/home.module.css'
import { YourAccess } from '@/app/_features/repos/home/your-access'
import { type RepositoryParams, repositoryAt, titleOf } from '@/app/_features/repos/read-repository'
import { caller, currentSession, type SearchParams, textParam } from '@/app/_lib/server'

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

  return (
    <>
      {explanation ? <YourAccess explanation={explanation} repository={home.repository} /> : null}
      {description ? (
        <p className={styles.summary}>
          <bdi>{description}</bdi>
        </p>
      ) : null}
      <div className={styles.columns}>
        <div className={styles.main}>{empty ? <EmptyHome home={home} /> : <FilledHome home={home} />}</div>
        <About home={home} me={me} />
      </div>
    </>
  )
}
