'use client'
// The one door to the UI kit: naming what is used keeps the rest out of the bundle. What draws a whole family of other
// components into every page has a small counterpart of our own beside this file: form-control, menu, side-nav, tabs, trail.
export {
  Avatar,
  Banner,
  Button,
  Checkbox,
  Dialog,
  IconButton,
  Label,
  Link,
  Pagination,
  Radio,
  Select,
  SkeletonBox,
  Textarea,
  TextInput,
} from '@primer/react'
export { FormControl } from './form-control'
