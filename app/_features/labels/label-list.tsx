'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ListBox, ListRow } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { DisclosureRow } from '@/app/_components/disclosure-row'
import { EmptyState } from '@/app/_components/empty-state'
import { BookmarkIcon } from '@/app/_components/icons'
import { Label as Mark } from '@/app/_components/label'
import { Pager } from '@/app/_components/pager'
import { trpc } from '@/app/_lib/trpc'
import { isolated, visibleLine } from '@/app/_lib/visible-text'
import type { Label, LabelHolderName, LabelOverview } from '@/server/labels/schema'
import { EditLabelForm } from './edit-label-form'
import { LabelChip } from './label-chip'
import styles from './labels.module.css'
import { labelsKey } from './queries'

interface LabelListProps {
  holder: LabelHolderName
  labels: LabelOverview
  page: number
}

export function LabelList({ holder, labels, page }: LabelListProps): ReactNode {
  const [openId, setOpenId] = useState<number>()
  const { items, total, limit, may_edit: mayEdit } = labels
  if (total === 0) {
    return (
      <EmptyState icon={BookmarkIcon} title="No labels yet">
        <p>Create one here, or let a program create those that it needs.</p>
      </EmptyState>
    )
  }
  return (
    <>
      <ListBox title="Labels" total={total}>
        {items.map(label =>
          mayEdit ? (
            <EditableRow
              key={label.id}
              holder={holder}
              label={label}
              isOpen={label.id === openId}
              onToggle={() => setOpenId(label.id === openId ? undefined : label.id)}
              onSaved={() => setOpenId(open => (open === label.id ? undefined : open))}
            />
          ) : (
            <ListRow key={label.id} visual={<BookmarkIcon />}>
              <Summary label={label} />
            </ListRow>
          ),
        )}
      </ListBox>
      <Pager label="Pages of labels" page={page} limit={limit} total={total} />
    </>
  )
}

function Summary({ label, isUnsaved = false }: { label: Label; isUnsaved?: boolean }): ReactNode {
  const { name, color, description, exclusive, is_archived } = label
  return (
    <>
      <div className={styles.head}>
        <LabelChip name={name} color={color} />
        {exclusive ? <Mark variant="secondary">Exclusive</Mark> : null}
        {is_archived ? <Mark variant="attention">Archived</Mark> : null}
        {isUnsaved ? <Mark>Unsaved changes</Mark> : null}
      </div>
      {description ? (
        <p className={styles.description}>
          <bdi>{visibleLine(description)}</bdi>
        </p>
      ) : null}
    </>
  )
}

interface EditableRowProps {
  holder: LabelHolderName
  label: Label
  isOpen: boolean
  onToggle: () => void
  onSaved: () => void
}

function EditableRow({ holder, label, isOpen, onToggle, onSaved }: EditableRowProps): ReactNode {
  const [isUnsaved, setUnsaved] = useState(false)
  return (
    <DisclosureRow
      name={`Edit ${visibleLine(label.name)}`}
      label="Edit"
      isOpen={isOpen}
      onToggle={onToggle}
      summary={<Summary label={label} isUnsaved={isUnsaved && !isOpen} />}
      aside={<DeleteButton holder={holder} label={label} />}
      keeps
    >
      <EditLabelForm holder={holder} label={label} onSaved={onSaved} onUnsaved={setUnsaved} />
    </DisclosureRow>
  )
}

function DeleteButton({
  holder,
  label: { id, name },
}: Pick<EditableRowProps, 'holder' | 'label'>): ReactNode {
  const queryClient = useQueryClient()
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete ${visibleLine(name)}`}
      size="small"
      title={`Delete the label “${isolated(name)}”?`}
      confirm="Delete label"
      run={() => trpc.labels.page.remove.mutate({ holder, id })}
      done={`Deleted the label ${isolated(name)}`}
      onDone={() => queryClient.invalidateQueries({ queryKey: labelsKey(holder) })}
    >
      <p>Programs that know the label by its ID, {id}, no longer find it, even if you create it again.</p>
    </ConfirmButton>
  )
}
