'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { GitBranchIcon } from '@/app/_components/icons'
import { LightButton } from '@/app/_components/light-button'
import { WorkList } from '@/app/_components/work-list'
import { branchList } from '@/app/_lib/lists'
import type { RepoPath } from '@/app/_lib/paths'
import { branchesKey, branchesQuery, divergenceQuery } from '@/app/_lib/queries/refs'
import { trpc } from '@/app/_lib/trpc'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import { useUndoable } from '@/app/_lib/use-undoable'
import { isolated } from '@/app/_lib/visible-text'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { BranchTip } from '@/server/repos/schema'
import { DeleteRefsButton } from './delete-refs-button'
import { NewBranchButton, RenameBranchButton } from './ref-buttons'
import { BranchRow, RefActions } from './ref-rows'
import { useStates } from './use-states'

interface BranchListProps {
  path: RepoPath
  defaultBranch: string
  mayPush: boolean
  mayAdminister: boolean
  /** Whether there is a commit at which a branch can begin. */
  hasCommits: boolean
}

export function BranchList(props: BranchListProps): ReactNode {
  const { path, defaultBranch, mayPush, mayAdminister, hasCommits } = props
  const list = useListChoice(branchList)
  const rows = useListRows(branchesQuery(path, list.choice))
  const states = useStates(path, rows)
  const branches = rows.found?.items ?? []
  const { data: divergence } = useQuery(divergenceQuery(path, branches))
  const divergenceOf = (name: string) =>
    divergence?.counts[branches.findIndex(branch => branch.name === name)] ?? null

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
          <p>Branches appear here after the first push, or once a file is created here.</p>
        </EmptyState>
      }
      row={(branch, check) => {
        const isDefault = branch.name === defaultBranch
        return (
          <BranchRow
            key={branch.name}
            path={path}
            branch={branch}
            states={states}
            defaultBranch={defaultBranch}
            divergence={divergenceOf(branch.name)}
            isDefault={isDefault}
            check={check}
            action={
              mayPush || mayAdminister ? (
                <RefActions>
                  {mayAdminister && !isDefault ? (
                    <MakeDefaultButton path={path} branch={branch.name} former={defaultBranch} />
                  ) : null}
                  {mayPush && (mayAdminister || !isDefault) ? (
                    <RenameBranchButton path={path} branch={branch.name} isDefault={isDefault} />
                  ) : null}
                  {mayPush && !isDefault ? (
                    <DeleteRefsButton path={path} kind="branch" refs={deletable([branch])} />
                  ) : null}
                </RefActions>
              ) : null
            }
          />
        )
      }}
      forAll={mayPush && hasCommits ? <NewBranchButton path={path} source={defaultBranch} /> : undefined}
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
    <LightButton
      size="small"
      aria-label={`Make default: ${branch}`}
      aria-disabled={change.isPending || undefined}
      onClick={change.onClick}
    >
      Make default
    </LightButton>
  )
}
