'use client'
import { type ReactNode, type Ref, useId } from 'react'
import { SearchIcon } from '@/app/_components/icons'
import { useOptionKeys } from '@/app/_lib/use-option-keys'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import styles from './picker.module.css'
import { FormControl, TextInput } from './primer'

interface PickerProps<T> {
  label: string
  placeholder: string
  caption?: ReactNode
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement> | undefined
  text: string
  onText: (text: string) => void
  options: readonly T[]
  /** Text of the field once the option is selected. */
  nameOf: (option: T) => string
  /** Reason why an option is shown but can't be selected. Undefined if it can. */
  obstacleOf?: (option: T) => string | undefined
  selected: T | undefined
  onSelect: (option: T | undefined) => void
  /** Polite status below the field, such as the number of results. */
  status: string
  show: (option: T) => ReactNode
  /** Called when the field loses the focus. */
  onLeave?: () => void
}

/** Text field with a list of matching options. Selecting an option changes nothing except the field. */
export function Picker<T extends { id: number }>(props: PickerProps<T>): ReactNode {
  const { label, placeholder, caption, error, inputRef, text, onText, options, status, show } = props
  const { nameOf, obstacleOf = () => undefined, selected, onSelect, onLeave } = props
  const listId = useId()
  const hydrated = useHydrated()
  const pick = (option: T): void => {
    if (obstacleOf(option)) return
    onText(nameOf(option))
    onSelect(option)
    setOpen(false)
  }
  const exact = options.find(option => nameOf(option).toLowerCase() === text.trim().toLowerCase())
  const keys = useOptionKeys(options, { exact, isFilled: selected !== undefined, pick })
  const { isOpen, active, setOpen, startOver, onKeyDown } = keys

  return (
    <div className={styles.picker}>
      <FormControl>
        <FormControl.Label>{label}</FormControl.Label>
        <TextInput
          ref={inputRef}
          block
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={active === undefined ? undefined : `${listId}-${active}`}
          leadingVisual={SearchIcon}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={!hydrated}
          value={text}
          onKeyDown={onKeyDown}
          onBlur={() => {
            setOpen(false)
            onLeave?.()
          }}
          onChange={event => {
            onText(event.target.value)
            if (selected !== undefined) onSelect(undefined)
            startOver()
          }}
        />
        {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
        {caption ? <FormControl.Caption>{caption}</FormControl.Caption> : null}
      </FormControl>
      {isOpen ? (
        <div id={listId} role="listbox" aria-label={label} className={styles.options}>
          {options.map((option, index) => {
            const obstacle = obstacleOf(option)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field picks
              <div
                key={option.id}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                aria-disabled={obstacle !== undefined}
                className={styles.option}
                onMouseDown={event => event.preventDefault()}
                onClick={() => pick(option)}
              >
                {show(option)}
                {obstacle ? <span className={styles.obstacle}>{obstacle}</span> : null}
              </div>
            )
          })}
        </div>
      ) : null}
      <p role="status" className={options.length === 0 ? styles.none : 'visually-hidden'}>
        {selected === undefined ? status : ''}
      </p>
    </div>
  )
}
