package main

import (
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/prometheus/client_golang/prometheus"
)

// collector makes Prometheus metrics of the host's report, each time they are
// collected.
type collector struct {
	report func() (room.Report, error)
}

var (
	describeInputs = prometheus.NewDesc("hindcast_inputs_total", "Inputs received, by outcome.", []string{"outcome"},
		nil)
	describeSights = prometheus.NewDesc("hindcast_sight_poses_total",
		"Poses that clients say they drew, for asSeen, by outcome.", []string{"outcome"}, nil)
	describeRefused = prometheus.NewDesc("hindcast_refused_total",
		"What was refused or dropped of what clients and strangers sent, by reason.", []string{"reason"}, nil)
	describeTick = prometheus.NewDesc("hindcast_tick_milliseconds", "Time that a tick took, over the whole run.",
		[]string{"quantile"}, nil)
	describeHooks = prometheus.NewDesc("hindcast_hook_calls_total",
		"Hooks run, by class, hook, and whether the tick was simulated for the first time or again.",
		[]string{"class", "hook", "run"}, nil)
	describeSteps = prometheus.NewDesc("hindcast_hook_instructions_total", "Instructions that hooks took.",
		[]string{"class", "hook"}, nil)
	describeHookMS = prometheus.NewDesc("hindcast_hook_milliseconds_total",
		"Time that hooks took, estimated from every 16th call.", []string{"class", "hook"}, nil)
	describeBytes = prometheus.NewDesc("hindcast_bytes_total", "Payload bytes, by part.", []string{"part"}, nil)
)

// figure is a metric without labels.
type figure struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	of   func(r *room.Report) float64
}

func counter(name, help string, of func(r *room.Report) float64) figure {
	return figure{prometheus.NewDesc("hindcast_"+name, help, nil, nil), prometheus.CounterValue, of}
}

func gauge(name, help string, of func(r *room.Report) float64) figure {
	return figure{prometheus.NewDesc("hindcast_"+name, help, nil, nil), prometheus.GaugeValue, of}
}

var figures = []figure{
	gauge("tick", "The last tick simulated.", func(r *room.Report) float64 { return float64(r.Tick) }),
	gauge("players", "Players present.", func(r *room.Report) float64 { return float64(r.Players) }),
	gauge("onlookers", "Clients that watch and have not joined.",
		func(r *room.Report) float64 { return float64(*r.Onlookers) }),
	gauge("objects", "Objects in the room.", func(r *room.Report) float64 { return float64(r.Objects) }),
	gauge("history_bytes", "Memory of the history, in bytes.",
		func(r *room.Report) float64 { return float64(r.HistoryBytes) }),
	counter("rewinds_total", "Rewinds.", func(r *room.Report) float64 { return float64(r.Rewinds.Count) }),
	counter("rewound_objects_total", "Object-ticks simulated again.",
		func(r *room.Report) float64 { return float64(r.Rewinds.ObjectsReRun) }),
	counter("corrections_total", "Corrections sent.",
		func(r *room.Report) float64 { return float64(r.Corrections.Count) }),
	counter("inputs_revised_total", "Inputs that replaced another one for the same tick.",
		func(r *room.Report) float64 { return float64(r.Inputs.Revised) }),
	counter("inputs_substituted_total", "Object-ticks that were committed without an input of their own.",
		func(r *room.Report) float64 { return float64(r.Inputs.Substituted) }),
	counter("inputs_seen_refused_total", "Inputs with a view time that their client cannot have shown.",
		func(r *room.Report) float64 { return float64(r.Inputs.SeenRefused) }),
	counter("datagrams_too_large_total", "Datagrams that were not sent because they were larger than a link takes.",
		func(r *room.Report) float64 { return float64(r.Cut.Datagrams) }),
	counter("script_errors_total",
		"Hooks that failed.", func(r *room.Report) float64 { return float64(r.ScriptErrors) }),
	counter("late_fields_total",
		"Times that a client lacked fields of an object for 2 s, because they take too many bytes.",
		func(r *room.Report) float64 { return float64(r.Snapshots.LateFields) }),
	counter("left_out_objects_total", "Objects left out of snapshots that had no room even for one.",
		func(r *room.Report) float64 { return float64(r.Snapshots.LeftOut) }),
	counter("crowded_ticks_total", "Ticks in which more bodies overlapped than a step can separate.",
		func(r *room.Report) float64 { return float64(r.Crowded) }),
	counter("late_ticks_total", "Ticks that started more than a tick length late.",
		func(r *room.Report) float64 { return float64(r.LateTicks) }),
	counter("skipped_seconds_total", "Time skipped because the machine could not keep up.",
		func(r *room.Report) float64 { return r.SkippedMS / 1000 }),
}

// Describe names the metrics.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, f := range figures {
		out <- f.desc
	}
	out <- describeInputs
	out <- describeSights
	out <- describeRefused
	out <- describeTick
	out <- describeBytes
	out <- describeHooks
	out <- describeSteps
	out <- describeHookMS
}

// Collect reads one report. When the host does not answer there are none.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	r, err := c.report()
	if err != nil {
		out <- prometheus.NewInvalidMetric(describeTick, err)
		return
	}
	for _, f := range figures {
		out <- prometheus.MustNewConstMetric(f.desc, f.kind, f.of(&r))
	}
	for outcome, n := range map[string]int{"on_time": r.Inputs.OnTime, "early_held": r.Inputs.EarlyHeld,
		"late_rewound": r.Inputs.LateRewound,
		"duplicate":    r.Inputs.Duplicate, "dropped_old": r.Inputs.DroppedOld, "refused": r.Inputs.Refused} {
		out <- prometheus.MustNewConstMetric(describeInputs, prometheus.CounterValue, float64(n), outcome)
	}
	sights := r.Inputs.Sights
	for outcome, n := range map[string]int{"accepted": sights.Accepted, "clamped": sights.Clamped,
		"unknown": sights.Unknown, "not_seen": sights.NotSeen} {
		out <- prometheus.MustNewConstMetric(describeSights, prometheus.CounterValue, float64(n), outcome)
	}
	for quantile, ms := range map[string]float64{"0.5": r.TickMS.P50, "0.99": r.TickMS.P99, "1": r.TickMS.Max} {
		out <- prometheus.MustNewConstMetric(describeTick, prometheus.GaugeValue, ms, quantile)
	}
	for class, hooks := range r.Classes {
		for hook, p := range hooks {
			out <- prometheus.MustNewConstMetric(describeHooks, prometheus.CounterValue, float64(p.Calls), class,
				hook, "first")
			out <- prometheus.MustNewConstMetric(describeHooks, prometheus.CounterValue, float64(p.Reruns), class,
				hook, "again")
			out <- prometheus.MustNewConstMetric(describeSteps, prometheus.CounterValue, float64(p.Instructions),
				class, hook)
			out <- prometheus.MustNewConstMetric(describeHookMS, prometheus.CounterValue, p.MS, class, hook)
		}
	}
	for reason, n := range r.Refused {
		out <- prometheus.MustNewConstMetric(describeRefused, prometheus.CounterValue, float64(n), reason)
	}
	for part, n := range r.Bytes {
		out <- prometheus.MustNewConstMetric(describeBytes, prometheus.CounterValue, float64(n), part)
	}
}
