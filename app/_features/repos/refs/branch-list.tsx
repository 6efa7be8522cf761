'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { GitBranchIcon } from '@/app/_components/icons'
import { Button } from '@/app/_components/primer'
import { WorkList } from '@/app/_components/work-list'
import { branchList } from '@/app/_lib/lists'
import type { RepoPath } from '@/app/_lib/paths'
import { branchesKey, branchesQuery } from '@/app/_lib/queries/refs'
import { trpc } from '@/app/_lib/trpc'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import { useUndoable } from '@/app/_lib/use-undoable'
import { isolated } from '@/app/_lib/visible-text'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { BranchTip } from '@/server/repos/schema'
import { DeleteRefsButton } from './delete-refs-button'
import { BranchRow, RefActions } from './ref-rows'

interface BranchListProps {
  path: RepoPath
  defaultBranch: string
  mayPush: boolean
  mayAdminister: boolean
}

export function BranchList({ path, defaultBranch, mayPush, mayAdminister }: BranchListProps): ReactNode {
  const list = useListChoice(branchList)
  const rows = useListRows(branchesQuery(path, list.choice))

  const deletable = (branches: readonly BranchTip[]) =>
    branches.map(branch => ({ ...branch, id: branch.sha }))
  return (
    <WorkList<BranchTip>
      title="Branches"
      noun="branch"
      icon={GitBranchIcon}
      list={list}
      rows={rows}
      idOf={branch => branch.name}
      nameOf={branch => branch.name}
      empty={
        <EmptyState icon={GitBranchIcon} title="No branches yet">
          <p>Branches appear here once they’re pushed.</p>
        </EmptyState>
      }
      row={(branch, check) => {
        const isDefault = branch.name === defaultBranch
        return (
          <BranchRow
            key={branch.name}
            path={path}
            branch={branch}
            isDefault={isDefault}
            check={check}
            action={
              !isDefault && (mayPush || mayAdminister) ? (
                <RefActions>
                  {mayAdminister ? (
                    <MakeDefaultButton path={path} branch={branch.name} former={defaultBranch} />
                  ) : null}
                  {mayPush ? <DeleteRefsButton path={path} kind="branch" refs={deletable([branch])} /> : null}
                </RefActions>
              ) : null
            }
          />
        )
      }}
      bulk={
        mayPush
          ? {
              takes: branch => branch.name !== defaultBranch,
              actions: (branches, done) => (
                <DeleteRefsButton path={path} kind="branch" refs={deletable(branches)} onDone={done} isBulk />
              ),
            }
          : undefined
      }
    />
  )
}

interface MakeDefaultButtonProps {
  path: RepoPath
  branch: string
  /** The current default branch, which undo restores. */
  former: string
}

function MakeDefaultButton({ path, branch, former }: MakeDefaultButtonProps): ReactNode {
  const queryClient = useQueryClient()
  const replace = (now: string, next: string) =>
    trpc.repos.save.mutate({
      ...path,
      changes: { default_branch: next },
      expected: { default_branch: now },
    })
  const change = useUndoable({
    act: () => replace(former, branch),
    undo: () => replace(branch, former),
    done: `${isolated(branch)} is now the default branch`,
    refresh: async () => {
      refreshPage()
      await queryClient.invalidateQueries({ queryKey: branchesKey(path) })
    },
  })

  return (
    <Button
      size="small"
      aria-label={`Make default: ${branch}`}
      loading={change.isPending}
      onClick={change.onClick}
    >
      Make default
    </Button>
  )
}
