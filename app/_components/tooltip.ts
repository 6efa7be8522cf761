'use client'
import { kitClasses } from './kit-classes'

/** Distance between a tooltip and its button in pixels, as in the UI kit. */
const distance = 4
const hoverMs = 50

// One for all buttons, created when the first is needed.
let tooltip: HTMLElement | undefined
let owner: HTMLElement | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** Props for a button whose accessible name is shown as a tooltip while the pointer or the focus is on it. */
export const tooltipProps = {
  onMouseEnter: ({ currentTarget }: { currentTarget: HTMLElement }): void => {
    clearTimeout(timer)
    timer = setTimeout(() => open(currentTarget), hoverMs)
  },
  onMouseLeave: close,
  onFocus: ({ currentTarget }: { currentTarget: HTMLElement }): void => {
    if (currentTarget.matches(':focus-visible')) open(currentTarget)
  },
  onBlur: close,
}

function open(button: HTMLElement): void {
  if (!button.isConnected || !('showPopover' in button)) return
  tooltip ??= create()
  owner = button
  tooltip.textContent = button.getAttribute('aria-label')
  if (!tooltip.matches(':popover-open')) tooltip.showPopover()
  position(tooltip, button.getBoundingClientRect())
}

function close(): void {
  clearTimeout(timer)
  if (tooltip?.matches(':popover-open')) tooltip.hidePopover()
}

function create(): HTMLElement {
  const element = document.createElement('span')
  element.className = kitClasses.tooltip
  element.popover = 'auto'
  // The button has the same name.
  element.ariaHidden = 'true'
  // People can move the pointer onto the tooltip, for example to read it enlarged.
  element.addEventListener('mouseenter', () => owner && open(owner))
  element.addEventListener('mouseleave', close)
  document.body.append(element)
  return element
}

/** Centers the tooltip below its button, or above it if there is no room. */
function position(element: HTMLElement, button: DOMRect): void {
  const { width, height } = element.getBoundingClientRect()
  const fits = button.bottom + distance + height <= window.innerHeight
  const center = button.left + button.width / 2
  const left = Math.max(0, Math.min(center - width / 2, document.documentElement.clientWidth - width))
  element.dataset.direction = fits ? 's' : 'n'
  element.style.top = `${window.scrollY + (fits ? button.bottom + distance : button.top - distance - height)}px`
  element.style.left = `${window.scrollX + left}px`
}
