import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { TextLink } from '@/app/_components/text-link'
import { caller } from '@/app/_lib/server'
import { BranchRow } from '@/app/_repos/refs/branch-row'
import { repositoryAddress } from '@/app/_repos/repository-address'
import type { Branch } from '@/server/repos/refs/schema'
import type { Repository } from '@/server/repos/schema'
import { DefaultBranch } from './default-branch'
import styles from './home.module.css'

const shown = 5

/** The newest commit of the default branch, and the branches that changed last. */
export async function CodeOverview({ repository }: { repository: Repository }): Promise<ReactNode> {
  const path = { owner: repository.owner.login, repo: repository.name }
  const { items, total } = await (await caller()).repos.branches.list({ ...path, limit: 50 })
  const newest = items.toSorted(byTime).slice(0, shown)
  return (
    <>
      <DefaultBranch repository={repository} />
      <div>
        <ListBox title="Branches" total={total}>
          {newest.map(branch => (
            <BranchRow
              key={branch.name}
              branch={branch}
              isDefault={branch.name === repository.default_branch}
            />
          ))}
        </ListBox>
        {total > newest.length ? (
          <p className={styles.more}>
            <TextLink href={repositoryAddress(repository, 'branches')}>All branches</TextLink>
          </p>
        ) : null}
      </div>
    </>
  )
}

const byTime = (one: Branch, other: Branch): number =>
  Date.parse(other.commit.timestamp) - Date.parse(one.commit.timestamp)
