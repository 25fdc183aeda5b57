package world

import "fmt"

// Change is one change that a script asked for, with its source line.
type Change struct {
	By      ObjectID // the acting object
	Hook    Hook
	Op      Op     // Op.Target is the object that is changed
	Spawned string // the class, where the change is a spawn; Op.Target is the new object
	File    string // of the script
	Line    int    // from 1
}

// Text returns the change as a script would write it. c is the class of the target.
func (ch *Change) Text(c *Class) string {
	op := &ch.Op
	if ch.Spawned != "" {
		return "spawn " + ch.Spawned
	}
	one, two := fmt.Sprintf("(%v)", op.A), fmt.Sprintf("(%v, %v)", op.A, op.B)
	switch op.Kind {
	case SetWord, SetText, AddWord, MultiplyWord, DivideWord:
		return c.setText(op)
	case SetPosition:
		return "setPosition" + two
	case SetVelocity:
		return "setVelocity" + two
	case SetDirection:
		return "setDirection" + one
	case SetAngularVelocity:
		return "setAngularVelocity" + one
	case SetForce:
		return "setForce" + two
	case SetTorque:
		return "setTorque" + one
	case SetDirectionalForce:
		return "setDirectionalForce" + two
	case AddForce:
		return "applyForce" + two
	case AddTorque:
		return "applyTorque" + one
	case AddImpulse:
		return "applyImpulse" + two
	case AddAngularImpulse:
		return "applyAngularImpulse" + one
	case SetOwner:
		return fmt.Sprintf("setOwner(%d)", op.Word)
	case Remove:
		return "remove()"
	case SetItem, InsertItem, RemoveItem, ClearItems:
		return c.listText(op)
	case SetMotor:
		return "setMotor" + two
	case SetLimits:
		return "setLimits" + two
	case SetLength:
		return "setLength" + one
	case SetSpring:
		return "setSpring" + two
	case AttachTo:
		return fmt.Sprintf("attach(%v, %v, %v)", ObjectID(op.Word), op.A, op.B)
	case LetGo:
		return "detach()"
	}
	return "a change"
}

// listText returns a change of a list as a script would write it. Records are abbreviated.
func (c *Class) listText(op *Op) string {
	if op.Field+1 >= len(c.Fields) || c.Fields[op.Field].Kind != Count {
		return "a list"
	}
	f, item := &c.Fields[op.Field], c.Fields[op.Field+1]
	list, value := f.Name[1:], "{...}"
	if f.Leaves == 1 && op.Text == "" {
		value = item.text([]uint64{op.Word})
	}
	switch {
	case op.Kind == ClearItems:
		return list + " = {}"
	case op.Kind == RemoveItem && op.Item == 0:
		return fmt.Sprintf("table.remove(%s)", list)
	case op.Kind == RemoveItem:
		return fmt.Sprintf("table.remove(%s, %d)", list, op.Item)
	case op.Kind == InsertItem && op.Item == 0:
		return fmt.Sprintf("table.insert(%s, %s)", list, value)
	case op.Kind == InsertItem:
		return fmt.Sprintf("table.insert(%s, %d, %s)", list, op.Item, value)
	}
	return fmt.Sprintf("%s[%d] = %s", list, op.Item, value)
}

// setText returns the assignment of a field as a script would write it.
func (c *Class) setText(op *Op) string {
	if op.Field >= len(c.Fields) {
		return "a field"
	}
	f := &c.Fields[op.Field]
	switch n := op.Number(); op.Kind {
	case SetText:
		return fmt.Sprintf("%s = %q", f.Name, op.Text)
	case AddWord:
		if n < 0 {
			return fmt.Sprintf("%s = %s - %v", f.Name, f.Name, -n)
		}
		return fmt.Sprintf("%s = %s + %v", f.Name, f.Name, n)
	case MultiplyWord:
		return fmt.Sprintf("%s = %s * %v", f.Name, f.Name, n)
	case DivideWord:
		return fmt.Sprintf("%s = %s / %v", f.Name, f.Name, n)
	}
	return f.Name + " = " + f.text([]uint64{op.Word})
}
