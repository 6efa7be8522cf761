'use client'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { LightButton } from '@/app/_components/light-button'
import { codePath, type RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { isolated } from '@/app/_lib/visible-text'
import type { RefDialogProps } from './ref-dialog'
import styles from './refs.module.css'

const RefDialog = dynamic(async () => (await import('./ref-dialog')).RefDialog)

interface DialogButtonProps {
  text: string
  /** Accessible name, if several buttons on a page have the same text. */
  name?: string
  variant?: 'default' | 'primary'
  size?: 'small' | 'medium'
  dialog: Omit<RefDialogProps, 'onClose'>
}

function DialogButton({
  text,
  name,
  variant = 'default',
  size = 'small',
  dialog,
}: DialogButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <LightButton
        size={size}
        variant={variant}
        aria-label={name}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {text}
      </LightButton>
      {isOpen ? <RefDialog {...dialog} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

interface NewRefProps {
  path: RepoPath
  /** Where it begins unless something else is entered: a branch or a commit ID. */
  source: string
  variant?: 'default' | 'primary'
}

interface NewBranchProps extends NewRefProps {
  /** Whether to show the code of the branch once it exists. */
  opens?: boolean
  size?: 'small' | 'medium'
}

/** Button that creates a branch after asking for its name and source. */
export function NewBranchButton({ path, source, opens = false, ...look }: NewBranchProps): ReactNode {
  const router = useRouter()
  const repository = { full_name: `${path.owner}/${path.repo}` }
  return (
    <DialogButton
      {...look}
      text="New branch"
      dialog={{
        path,
        title: 'Create a branch',
        label: 'Create branch',
        initial: { source },
        act: values =>
          trpc.repos.branches.create.mutate({
            ...path,
            new_branch_name: values.name.trim(),
            old_ref_name: values.source.trim(),
          }),
        done: ({ name }) => `Created the branch ${isolated(name.trim())}`,
        onDone: opens
          ? ({ name }) => router.push(codePath(repository, 'src', { kind: 'branch', name: name.trim() }))
          : undefined,
      }}
    />
  )
}

/** Button that creates a tag after asking for its name, target, and message. */
export function NewTagButton({ path, source, ...look }: NewRefProps): ReactNode {
  return (
    <DialogButton
      {...look}
      text="New tag"
      dialog={{
        path,
        title: 'Create a tag',
        label: 'Create tag',
        initial: { source, message: '' },
        act: ({ name, source: target, message }) =>
          trpc.repos.tags.create.mutate({
            ...path,
            tag_name: name.trim(),
            target: target.trim(),
            message,
          }),
        done: ({ name }) => `Created the tag ${isolated(name.trim())}`,
      }}
    />
  )
}

interface RenameBranchProps {
  path: RepoPath
  branch: string
  isDefault: boolean
}

/** Button that renames a branch after a dialog that says what follows the new name. */
export function RenameBranchButton({ path, branch, isDefault }: RenameBranchProps): ReactNode {
  return (
    <DialogButton
      text="Rename"
      name={`Rename ${isolated(branch)}`}
      dialog={{
        path,
        title: `Rename the branch ${isolated(branch)}`,
        label: 'Rename branch',
        initial: { name: branch },
        children: (
          <ul className={styles.effects}>
            {isDefault ? <li>It remains the default branch.</li> : null}
            <li>Links to its pages redirect to the new name, until another branch has the former one.</li>
            <li>Clones keep the former name until people rename it there.</li>
          </ul>
        ),
        act: ({ name }) =>
          // The branch is encoded as in an API path.
          trpc.repos.branches.rename.mutate({
            ...path,
            branch: encodeURIComponent(branch),
            name: name.trim(),
          }),
        done: ({ name }) => `Renamed ${isolated(branch)} to ${isolated(name.trim())}`,
      }}
    />
  )
}
