'use client'
import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import {
  FileIcon,
  KebabHorizontalIcon,
  PencilIcon,
  PlusIcon,
  TrashIcon,
  TriangleDownIcon,
  UploadIcon,
} from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { Menu, MenuLink } from '@/app/_components/menu'
import { Button, IconButton } from '@/app/_components/primer'
import { tooltipProps } from '@/app/_components/tooltip'
import { isShortcut } from '@/app/_lib/shortcut'
import styles from './edit-actions.module.css'
import type { Editing } from './editing'

interface FileActionsProps extends Editing {
  /** Paths of the pages that edit and delete the file. */
  edit: string
  remove: string
}

/** Link that edits a file, as does the key E, and a menu that renames or deletes it. */
export function FileActions({ refusal, edit, remove }: FileActionsProps): ReactNode {
  const router = useRouter()
  useEffect(() => {
    if (refusal) return
    const open = (event: KeyboardEvent): void => {
      if (event.key !== 'e' || !isShortcut(event)) return
      event.preventDefault()
      router.push(edit)
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [refusal, edit, router])
  if (refusal) return <Refused label="Edit" why={refusal} />
  return (
    <span className={styles.actions}>
      <QuietLink href={edit}>
        <PencilIcon /> Edit
      </QuietLink>
      <Menu
        label="More actions for this file"
        button={props => (
          <IconButton
            {...props}
            icon={KebabHorizontalIcon}
            size="small"
            variant="invisible"
            unsafeDisableTooltip
          />
        )}
      >
        <MenuLink href={`${edit}?rename=1`} visual={<PencilIcon />}>
          Rename or move
        </MenuLink>
        <MenuLink href={remove} visual={<TrashIcon />}>
          Delete
        </MenuLink>
      </Menu>
    </span>
  )
}

interface AddFileProps extends Editing {
  /** Paths of the pages that create a file and upload files. */
  create: string
  upload: string
}

/** Menu that adds files to a directory. */
export function AddFile({ refusal, create, upload }: AddFileProps): ReactNode {
  if (refusal) return <Refused label="Add file" why={refusal} />
  return (
    <Menu
      label="Add file"
      button={props => (
        <Button {...props} leadingVisual={PlusIcon} trailingVisual={TriangleDownIcon}>
          Add file
        </Button>
      )}
    >
      <MenuLink href={create} visual={<FileIcon />}>
        New file
      </MenuLink>
      <MenuLink href={upload} visual={<UploadIcon />}>
        Upload files
      </MenuLink>
    </Menu>
  )
}

/** Button that only says why it does nothing. */
function Refused({ label, why }: { label: string; why: string }): ReactNode {
  return (
    <Button size="small" variant="invisible" aria-disabled aria-label={`${label}: ${why}`} {...tooltipProps}>
      {label}
    </Button>
  )
}
