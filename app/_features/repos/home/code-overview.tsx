import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { TextLink } from '@/app/_components/links'
import { BranchRow } from '@/app/_features/repos/refs/ref-rows'
import { repositoryPath } from '@/app/_lib/paths'
import type { ShownRepository } from '../read-repository'
import { DefaultBranch } from './default-branch'
import styles from './home.module.css'

const maxShown = 5

/** The newest commit of the default branch, and the branches that changed last. */
export function CodeOverview({ home: { repository, branches, tips } }: { home: ShownRepository }): ReactNode {
  if (!tips)
    return <p className={styles.muted}>The branches cannot be shown right now. Reload to try again.</p>
  const { head, newest } = tips
  const rest = newest.filter(branch => branch.name !== head?.name)
  const shown = (head ? [head, ...rest] : rest).slice(0, maxShown)
  return (
    <>
      <DefaultBranch name={repository.default_branch} tip={head} />
      <div>
        <ListBox title="Branches" total={branches}>
          {shown.map(branch => (
            <BranchRow key={branch.name} branch={branch} isDefault={branch === head} />
          ))}
        </ListBox>
        {branches > shown.length ? (
          <p className={styles.more}>
            <TextLink href={repositoryPath(repository, 'branches')}>All branches</TextLink>
          </p>
        ) : null}
      </div>
    </>
  )
}
